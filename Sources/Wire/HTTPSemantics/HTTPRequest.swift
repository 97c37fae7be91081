/// A request without its body: what is known when the header section has arrived.
public struct HTTPRequestHead: Sendable, Equatable {
    /// The protocol version that carried the message.
    public enum Version: Sendable, Equatable {
        case http10, http11, http2
    }

    /// The method, as sent (methods are case-sensitive): `POST`.
    public var method: String
    /// The request target in origin form, undecoded: `/v1/projects/p/messages:send?alt=json`.
    public var target: String
    /// `:authority` or `Host`; empty when an HTTP/1.0 client sent none.
    public var authority: String
    public var fields: HTTPFields
    public var version: Version

    public init(
        method: String, target: String, authority: String = "", fields: HTTPFields = HTTPFields(),
        version: Version = .http11
    ) {
        self.method = method
        self.target = target
        self.authority = authority
        self.fields = fields
        self.version = version
    }

    /// The target up to the first `?`, still percent-encoded.
    public var path: Substring {
        target[..<pathEnd]
    }

    /// The target after the first `?`, still percent-encoded; empty when there is none.
    public var query: Substring {
        target[pathEnd...].dropFirst()
    }

    private var pathEnd: String.Index {
        target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
    }
}

/// A whole request. The body is decoded: chunked framing and gzip are already undone.
public struct HTTPRequest: Sendable, Equatable {
    public var head: HTTPRequestHead
    public var body: [UInt8]
    /// The peer's address without its port: `127.0.0.1`; empty when unknown.
    public var peerAddress: String

    public init(head: HTTPRequestHead, body: [UInt8] = [], peerAddress: String = "") {
        self.head = head
        self.body = body
        self.peerAddress = peerAddress
    }
}

/// A whole response.
///
/// `content-length`, `date` and the connection fields are the server's business: a handler leaves them out.
public struct HTTPResponse: Sendable, Equatable {
    public var status: Int
    public var fields: HTTPFields
    public var body: [UInt8]
    /// What follows the body.
    public var stream: HTTPBodyStream?

    public init(
        status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = [], stream: HTTPBodyStream? = nil
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.stream = stream
    }

    /// A text answer.
    public init(status: Int, contentType: String, text: String) {
        self.init(status: status, fields: HTTPFields([("content-type", contentType)]), body: Array(text.utf8))
    }
}
