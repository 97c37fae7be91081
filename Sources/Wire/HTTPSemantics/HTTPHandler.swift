/// Answers whole requests. A server calls it on the event loop that owns the connection.
public protocol HTTPHandler: Sendable {
    /// The largest body, in bytes after decoding, that the handler takes for this request.
    ///
    /// Asked before the body is read; a longer body is answered with 413 and never buffered.
    func bodyLimitBytes(for head: HTTPRequestHead) -> Int

    /// The answer. Never throws: an error is an answer too.
    func respond(to request: HTTPRequest) async -> HTTPResponse

    /// Both at once, for a handler that would otherwise look for the same thing twice. This is what a server asks.
    func plan(for head: HTTPRequestHead) -> HTTPPlan
}

/// What a handler will do with a request whose header section has arrived.
public struct HTTPPlan: Sendable {
    /// See `HTTPHandler.bodyLimitBytes(for:)`.
    public let bodyLimitBytes: Int
    /// See `HTTPHandler.respond(to:)`.
    public let respond: @Sendable (HTTPRequest) async -> HTTPResponse

    public init(bodyLimitBytes: Int, respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) {
        self.bodyLimitBytes = bodyLimitBytes
        self.respond = respond
    }
}

extension HTTPHandler {
    public func plan(for head: HTTPRequestHead) -> HTTPPlan {
        HTTPPlan(bodyLimitBytes: bodyLimitBytes(for: head)) { await respond(to: $0) }
    }
}
