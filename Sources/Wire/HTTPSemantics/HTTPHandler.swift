/// Answers whole requests. A server calls it on the event loop that owns the connection.
public protocol HTTPHandler: Sendable {
    /// The largest body, in bytes after decoding, that the handler takes for this request.
    ///
    /// Asked before the body is read; a longer body is answered with 413 and never buffered.
    func bodyLimitBytes(for head: HTTPRequestHead) -> Int

    /// The answer. Never throws: an error is an answer too.
    func respond(to request: HTTPRequest) async -> HTTPResponse
}
