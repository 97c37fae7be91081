/// The first byte of each direction of a connection. Source: Chromium `connection_handler_impl.cc`.
public enum MCSVersion {
    /// What today's clients send.
    public static let current: UInt8 = 41
    /// What old servers answered; readers take it for the current one.
    public static let legacy: UInt8 = 38

    /// Whether a server may speak with a client that sent `version`; it answers with the same byte.
    public static func isServed(_ version: UInt8) -> Bool {
        version >= legacy
    }

    /// Whether a client that sent `own` goes on after the server's byte.
    public static func isAccepted(_ version: UInt8, own: UInt8 = current) -> Bool {
        version >= own || version == legacy
    }
}
