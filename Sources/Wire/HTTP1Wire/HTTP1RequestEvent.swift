public import HTTPSemantics

/// The head of a request, with what its framing and connection fields mean.
public struct HTTP1RequestStart: Sendable, Equatable {
    public var head: HTTPRequestHead
    /// `.none`, `.length` or `.chunked`.
    public var body: HTTP1BodyFraming
    /// The client wants to send another request on this connection.
    public var keepsAlive: Bool
    /// The client waits for `100 (Continue)` before it sends the body (RFC 9110 §10.1.1).
    public var expectsContinue: Bool

    public init(head: HTTPRequestHead, body: HTTP1BodyFraming, keepsAlive: Bool, expectsContinue: Bool) {
        self.head = head
        self.body = body
        self.keepsAlive = keepsAlive
        self.expectsContinue = expectsContinue
    }
}

/// One step of a request: `head`, any number of `body`, `end`; or `failed`, after which nothing follows.
public enum HTTP1RequestEvent: Sendable, Equatable {
    case head(HTTP1RequestStart)
    case body([UInt8])
    case end
    case failed(HTTP1Error)
}
