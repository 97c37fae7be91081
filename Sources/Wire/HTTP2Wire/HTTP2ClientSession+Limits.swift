internal import CNghttp2

extension HTTP2ClientSession {
    /// `false` until the peer's first SETTINGS: no request should go out before.
    public var peerSettingsReceived: Bool { observer.peerSettingsReceived }

    /// `true` once the peer said GOAWAY.
    public var isGoingAway: Bool { observer.isGoingAway }

    /// Streams that the peer allows at a time: 0 before its SETTINGS, `Int.max` when it names no limit.
    public var peerMaximumConcurrentStreams: Int {
        guard peerSettingsReceived else { return 0 }
        let limit = nghttp2_session_get_remote_settings(handle.session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
        return limit == UInt32.max ? Int.max : Int(limit)
    }

    /// Requests that are submitted and not closed.
    public var activeStreams: Int { observer.requests.count }

    /// Bytes that the peer's connection window takes now, bodies not yet framed not deducted; may be negative.
    public var connectionSendWindow: Int {
        Int(nghttp2_session_get_remote_window_size(handle.session))
    }

    /// Body bytes that a new stream may send before the peer's first WINDOW_UPDATE.
    public var initialStreamSendWindow: Int {
        Int(nghttp2_session_get_remote_settings(handle.session, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE))
    }

    /// Body bytes that are submitted and not yet in a frame.
    public var unsentBodyBytes: Int { observer.unsentBytes.count }

    /// `false` when the identifiers of this connection are used up, or it is going away.
    public var canSubmit: Bool {
        nghttp2_session_check_request_allowed(handle.session) != 0
            && nghttp2_session_get_next_stream_id(handle.session) <= UInt32(Int32.max)
    }
}
