/// The body of an answer that comes piece by piece, so that it never lies in memory as a whole. The server asks for the
/// next piece when the one before has left.
public final class HTTPBodyStream: Sendable, Equatable {
    private let pull: @Sendable () async -> [UInt8]?

    /// - Parameter pull: Gives the next piece, and `nil` at the end. Its task is cancelled when the client has gone: it
    ///   returns soon then.
    public init(pull: @escaping @Sendable () async -> [UInt8]?) {
        self.pull = pull
    }

    public func next() async -> [UInt8]? { await pull() }

    public static func == (left: HTTPBodyStream, right: HTTPBodyStream) -> Bool { left === right }
}
