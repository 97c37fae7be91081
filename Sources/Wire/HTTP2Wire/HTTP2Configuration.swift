/// How received bytes return to the peer's windows. Source: RFC 9113 §5.2.
public enum HTTP2FlowControl: Sendable, Equatable {
    /// Windows reopen by themselves when half of them is used.
    case automatic
    /// Windows stay closed until `consume` is called: for back-pressure and for simulating slow peers.
    case manual
}

/// Limits and behaviour of the server end of a connection.
public struct HTTP2ServerConfiguration: Sendable, Equatable {
    /// The first SETTINGS frame.
    public var settings = HTTP2Settings(
        maximumConcurrentStreams: 500, initialWindowBytes: 65_535, maximumHeaderListBytes: 32_768)
    /// Bytes that the peer may send over all streams before a WINDOW_UPDATE; at least 65,535.
    public var connectionWindowBytes = 1_048_576
    public var flowControl = HTTP2FlowControl.automatic
    /// `false`: a PING is only reported, and answered by `acknowledgePing` alone.
    public var answersPings = true
    /// Keeps every field line with its HPACK protection in `HTTP2Request.rawFields`.
    public var recordsRawFields = false
    /// Frames waiting to be written, beyond which a peer that does not read is given up.
    public var maximumQueuedFrames = 10_000

    public init() {}
}

/// Limits and behaviour of the client end of a connection.
public struct HTTP2ClientConfiguration: Sendable, Equatable {
    /// The first SETTINGS frame; push is always switched off.
    public var settings = HTTP2Settings(
        maximumConcurrentStreams: 0, initialWindowBytes: 65_535, maximumHeaderListBytes: 32_768)
    /// Bytes that the peer may send over all streams before a WINDOW_UPDATE; at least 65,535.
    public var connectionWindowBytes = 1_048_576
    public var flowControl = HTTP2FlowControl.automatic
    /// `false`: the field lines of answers are dropped, for a caller that looks at status and body only.
    public var keepsResponseFields = true
    /// Frames waiting to be written, beyond which a peer that does not read is given up.
    public var maximumQueuedFrames = 100_000

    public init() {}
}
