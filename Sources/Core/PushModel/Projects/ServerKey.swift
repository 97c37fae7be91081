public import Timekeeping

/// A legacy server key, of which only the hash is known.
public struct ServerKey: Sendable, Equatable {
    /// The store's row number.
    public var serial: Int64
    public var createdAt: Timestamp

    public init(serial: Int64, createdAt: Timestamp) {
        self.serial = serial
        self.createdAt = createdAt
    }
}
