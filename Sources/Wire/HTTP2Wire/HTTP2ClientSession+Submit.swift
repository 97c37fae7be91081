internal import CNghttp2

extension HTTP2ClientSession {
    /// Queues a request.
    ///
    /// - Parameters:
    ///   - fields: `:method`, `:scheme`, `:authority` and `:path` before the others, names in lower case.
    ///   - body: An empty one ends the stream on HEADERS.
    /// - Returns: The stream.
    public func submit(fields: [HTTP2Field], body: [UInt8] = []) throws(HTTP2Error) -> Int32 {
        encoder.removeAll()
        for field in fields {
            encoder.append(field.name, field.value, neverIndexed: field.indexing == .never)
        }
        return try submitEncoded(body: body)
    }

    /// Queues one of many requests that begin alike.
    ///
    /// - Parameters:
    ///   - prefix: The pseudo-headers, but for `:path`, and what else never changes.
    ///   - fields: Adds the others, `:path` first. Must not call the session.
    /// - Returns: The stream.
    public func submit(
        _ prefix: HTTP2FieldPrefix, body: [UInt8], fields: (inout HTTP2FieldWriter) -> Void
    ) throws(HTTP2Error) -> Int32 {
        var writer = HTTP2FieldWriter(encoder: encoder)
        encoder = FieldEncoder()
        writer.encoder.reset(to: prefix.encoder)
        fields(&writer)
        swap(&encoder, &writer.encoder)
        return try submitEncoded(body: body)
    }

    private func submitEncoded(body: [UInt8]) throws(HTTP2Error) -> Int32 {
        let outgoing = OutgoingBody(body, countedIn: observer.unsentBytes)
        var provider = outgoing.provider
        let stream = encoder.withVectors { vectors, count in
            body.isEmpty
                ? nghttp2_submit_request(handle.session, nil, vectors, count, nil, nil)
                : nghttp2_submit_request(handle.session, nil, vectors, count, &provider, nil)
        }
        try handle.check(stream)
        observer.requests[stream] = outgoing
        observer.unsentBytes.count += body.count
        return stream
    }

    /// Gives a stream up with RST_STREAM; `closed` follows when that is written.
    public func reset(stream: Int32, code: HTTP2ErrorCode = .cancel) throws(HTTP2Error) {
        try handle.submitReset(stream: stream, code: code)
    }

    public func ping(opaque: UInt64) throws(HTTP2Error) {
        try handle.submitPing(opaque: opaque)
    }

    /// Says that this side is leaving. Streams under way go on.
    public func goAway(code: HTTP2ErrorCode = .noError) throws(HTTP2Error) {
        let lastStream = nghttp2_session_get_last_proc_stream_id(handle.session)
        try handle.submitGoAway(lastStream: lastStream, code: code, debugData: [])
    }

    /// Gives received body bytes back to the windows of the stream and of the connection (`HTTP2FlowControl.manual`).
    public func consume(stream: Int32, bytes: Int) throws(HTTP2Error) {
        try handle.consume(stream: stream, bytes: bytes)
    }
}
