public import PushModel

/// A failure that was asked for.
public struct ScriptedSendFault: Sendable, Equatable {
    /// How long the answer waits first.
    public var delayMilliseconds: Int64
    /// `nil`: only the delay.
    public var error: SendError?

    public init(delayMilliseconds: Int64 = 0, error: SendError?) {
        self.delayMilliseconds = delayMilliseconds
        self.error = error
    }
}

/// Failures of sends, scripted through the emulator for tests of other people's code.
public protocol SendFaults: Sendable {
    /// The failure of the next send to that target, which it uses up; `nil` when none was asked for.
    func nextFault(for target: SendTarget, recipients: [Registration]) -> ScriptedSendFault?
}
