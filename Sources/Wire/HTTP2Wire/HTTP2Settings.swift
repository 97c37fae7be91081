/// What one SETTINGS frame says; `nil` leaves a parameter out, which keeps the peer's view of it. Source: RFC 9113 §6.5.2.
public struct HTTP2Settings: Sendable, Equatable {
    /// Bytes of the HPACK table that the peer may use; 4096 when never sent.
    public var headerTableBytes: Int?
    /// Streams that the peer may have open; unlimited when never sent.
    public var maximumConcurrentStreams: Int?
    /// Bytes that the peer may send on a new stream before a WINDOW_UPDATE; 65,535 when never sent.
    public var initialWindowBytes: Int?
    /// Payload bytes of the largest frame accepted, 16,384 to 16,777,215; 16,384 when never sent.
    public var maximumFrameBytes: Int?
    /// Uncompressed bytes of a header list, 32 more for each field; unlimited when never sent.
    public var maximumHeaderListBytes: Int?

    public init(
        headerTableBytes: Int? = nil, maximumConcurrentStreams: Int? = nil, initialWindowBytes: Int? = nil,
        maximumFrameBytes: Int? = nil, maximumHeaderListBytes: Int? = nil
    ) {
        self.headerTableBytes = headerTableBytes
        self.maximumConcurrentStreams = maximumConcurrentStreams
        self.initialWindowBytes = initialWindowBytes
        self.maximumFrameBytes = maximumFrameBytes
        self.maximumHeaderListBytes = maximumHeaderListBytes
    }
}
