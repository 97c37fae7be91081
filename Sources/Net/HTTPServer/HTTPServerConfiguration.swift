public import HTTP1Wire

/// The bounds of a server. Each is checked before memory is spent.
public struct HTTPServerConfiguration: Sendable {
    /// Lines, fields and chunks of HTTP/1; the header section's limit also holds for HTTP/2.
    public var http1 = HTTP1Limits()
    /// From the first byte of a request, or the accept, to the end of its header section; then 408.
    public var headerDeadline: Duration = .seconds(10)
    /// From the end of the header section to the end of the body; then 408.
    public var bodyDeadline: Duration = .seconds(30)
    /// How long an HTTP/1 connection may wait for its next request.
    public var keepAliveLimit: Duration = .seconds(75)
    /// How long an HTTP/2 connection may be without a stream before it is told to go away.
    public var http2IdleLimit: Duration = .seconds(300)
    /// How long an HTTP/2 peer may keep an answer from leaving by closed windows.
    public var sendDeadline: Duration = .seconds(60)
    /// Streams that an HTTP/2 peer may have open; more are refused, and clients send them again.
    public var maximumConcurrentStreams = 1_000
    /// Bytes that a peer may send ahead on one stream, and on all streams of a connection.
    public var streamWindowBytes = 262_144
    public var connectionWindowBytes = 1_048_576
    /// Bytes of unfinished request bodies that one HTTP/2 connection may make the server hold.
    public var maximumPendingBodyBytes = 16_777_216
    /// Requests being answered at a time, over all connections; more are answered with 503.
    public var maximumRequestsInFlight = 20_000
    /// PING and SETTINGS frames, and resets of streams, that a peer may send at once, and each second after that.
    public var controlFrameBurst = 1_000
    public var controlFramesPerSecond = 100
    /// Bytes that HTTP/1 clients may send ahead while a request is being answered.
    public var maximumReadAheadBytes = 65_536
    /// Compresses text answers of at least so many bytes for clients that accept gzip; `nil` never does.
    public var compressedAnswerBytes: Int?

    public init() {}
}
