internal import CNghttp2
public import HTTPSemantics

extension HTTP2ServerSession {
    /// Answers a stream. Fields go out as given: `content-length` and `date` are the caller's.
    ///
    /// - Parameters:
    ///   - endsOnHeaders: An empty body ends the stream on HEADERS; `false` adds an empty DATA frame.
    ///   - thenResets: Resets a stream whose request is still arriving when the answer is out (RFC 9113 §8.1), as a
    ///     body beyond its limit wants it.
    ///   - isOpen: More of the body comes with `appendBody`.
    /// - Throws: `unknownStream` when the stream is closed, or was answered before.
    public func submitResponse(
        stream: Int32, status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = [], endsOnHeaders: Bool = true,
        thenResets: Bool = false, isOpen: Bool = false
    ) throws(HTTP2Error) {
        guard stream > 0, observer.answers[stream] == nil, nghttp2_session_find_stream(handle.session, stream) != nil
        else { throw .unknownStream }
        encoder.removeAll()
        encoder.append(":status", String(status))
        for line in fields.lines { encoder.append(line.name, line.value) }
        let outgoing = OutgoingBody(body, isOpen: isOpen)
        var provider = outgoing.provider
        try handle.check(
            encoder.withVectors { vectors, count in
                body.isEmpty && endsOnHeaders && !isOpen
                    ? nghttp2_submit_response(handle.session, stream, vectors, count, nil)
                    : nghttp2_submit_response(handle.session, stream, vectors, count, &provider)
            })
        observer.answers[stream] = outgoing
        if thenResets { observer.resetAfterAnswer.insert(stream) }
    }

    /// Adds to the body of an answer that was submitted as open. Nothing happens when the stream is closed.
    public func appendBody(stream: Int32, _ bytes: [UInt8], isLast: Bool) {
        guard let body = observer.answers[stream], body.isOpen else { return }
        body.append(bytes, isLast: isLast)
        _ = nghttp2_session_resume_data(handle.session, stream)
    }

    /// Body bytes of an answer that are submitted and not yet in a frame.
    public func unsentBytes(ofStream stream: Int32) -> Int { observer.answers[stream]?.unsentBytes ?? 0 }

    /// Ends a stream with RST_STREAM.
    public func submitReset(stream: Int32, code: HTTP2ErrorCode) throws(HTTP2Error) {
        try handle.submitReset(stream: stream, code: code)
    }

    /// Says GOAWAY: streams above `lastStream` were not and will not be processed, and are closed here.
    ///
    /// - Parameter lastStream: The highest stream that was taken when `nil`.
    public func submitGoAway(
        lastStream: Int32? = nil, code: HTTP2ErrorCode = .noError, debugData: [UInt8] = []
    ) throws(HTTP2Error) {
        let lastStream = lastStream ?? nghttp2_session_get_last_proc_stream_id(handle.session)
        try handle.submitGoAway(lastStream: lastStream, code: code, debugData: debugData)
    }

    /// The first step of a graceful end: GOAWAY with the highest stream number, so that streams under way still count.
    public func submitShutdownNotice() throws(HTTP2Error) {
        try handle.check(nghttp2_submit_shutdown_notice(handle.session))
    }

    public func submitPing(opaque: UInt64) throws(HTTP2Error) {
        try handle.submitPing(opaque: opaque)
    }

    /// Answers a PING when the configuration says that the session does not.
    public func acknowledgePing(opaque: UInt64) throws(HTTP2Error) {
        try handle.submitPing(opaque: opaque, acknowledges: true)
    }

    /// Gives received body bytes back to the windows of the stream and of the connection (`HTTP2FlowControl.manual`).
    public func consume(stream: Int32, bytes: Int) throws(HTTP2Error) {
        try handle.consume(stream: stream, bytes: bytes)
    }
}
