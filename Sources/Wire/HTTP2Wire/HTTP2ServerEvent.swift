public import HTTPSemantics

/// A request whose header section has arrived.
public struct HTTP2Request: Sendable, Equatable {
    public var stream: Int32
    /// The fields without pseudo-header fields; `authority` falls back to `host`.
    public var head: HTTPRequestHead
    /// No body follows.
    public var endStream: Bool
    /// Compressed bytes of the header block, over all its frames.
    public var headerBlockBytes: Int
    /// Every line as it came, when the configuration asks for it; `.never` marks a protected literal.
    public var rawFields: [HTTP2Field]

    public init(
        stream: Int32, head: HTTPRequestHead, endStream: Bool, headerBlockBytes: Int = 0, rawFields: [HTTP2Field] = []
    ) {
        self.stream = stream
        self.head = head
        self.endStream = endStream
        self.headerBlockBytes = headerBlockBytes
        self.rawFields = rawFields
    }
}

/// What the peer of a server did.
public enum HTTP2ServerEvent: Sendable, Equatable {
    case request(HTTP2Request)
    /// A piece of a request body. Trailers end a body with an empty piece; their lines are dropped.
    case data(stream: Int32, bytes: [UInt8], endStream: Bool)
    /// The peer gave the stream up; `closed` follows.
    case reset(stream: Int32, code: HTTP2ErrorCode)
    /// Last event of a stream: answered, reset, or in error. The only one when its request was malformed.
    case closed(stream: Int32, code: HTTP2ErrorCode)
    /// A stream beyond `maximumConcurrentStreams` was answered with `REFUSED_STREAM`.
    case refused(stream: Int32)
    /// The session answered a header list beyond its limit with this status, without asking.
    case rejected(stream: Int32, status: Int)
    case settings
    case settingsAcknowledged
    case ping(opaque: UInt64)
    case pingAcknowledged(opaque: UInt64)
    case goAway(lastStream: Int32, code: HTTP2ErrorCode, debugData: [UInt8])
    /// Last event of all: write what is left and close.
    case failed(HTTP2Error)
}
