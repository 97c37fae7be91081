/// What a descriptor became ready for since the last report. Reports are edge-triggered: use the readiness up.
public struct ReadyEvents: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let readable = ReadyEvents(rawValue: 1)
    public static let writable = ReadyEvents(rawValue: 2)
    /// Both directions are closed, or the descriptor has an error. Reading tells which.
    public static let hangUp = ReadyEvents(rawValue: 4)
    /// The peer will send no more: reading ends with an end of file.
    public static let peerClosed = ReadyEvents(rawValue: 8)
}

/// Owns a descriptor that an event loop watches. All calls come on the loop's thread.
public protocol DescriptorHandler: AnyObject {
    func ready(_ events: ReadyEvents)

    /// The loop is ending: close the descriptor. Nothing is reported after this.
    func loopIsStopping()
}
