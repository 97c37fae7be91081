public import HTTPSemantics

/// A request for a URL. `host` and `content-length` are added by the client.
public struct HTTPClientRequest: Sendable {
    public var method: String
    public var url: HTTPURL
    public var fields: HTTPFields
    public var body: [UInt8]

    public init(method: String = "GET", url: HTTPURL, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// Whether sending it twice does what sending it once does (RFC 9110 §9.2.2).
    var isIdempotent: Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE": true
        default: false
        }
    }
}

/// Why there is no answer.
public enum HTTPClientError: Error, Equatable, Sendable {
    /// No address of the host took the connection, or the proxy did not make one.
    case cannotConnect(detail: String)
    /// The configuration allows none of the host's addresses.
    case addressRefused
    /// The connect deadline or the request's deadline has passed.
    case timedOut
    /// The server's certificate or its TLS was not acceptable.
    case tlsFailed(detail: String)
    /// The connection ended before the answer did. The server may have acted on the request.
    case connectionLost
    case cancelled
    /// The answer is larger than the configuration allows.
    case responseTooLarge
    /// What came back is no HTTP/1 answer.
    case malformedResponse
}
