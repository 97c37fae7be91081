internal import CNghttp2
internal import HTTPSemantics

/// Receives the callbacks of a server's session and turns them into events.
final class HTTP2ServerObserver {
    private let headerListLimit: Int
    private let recordsRawFields: Bool
    /// Streams that the peer may have open. Enforced here and not by nghttp2, which would end the connection.
    var maximumConcurrentStreams: Int
    private(set) var openStreams = 0
    /// Streams that are reset from our side before they became a request.
    private var discarded: Set<Int32> = []
    private var block = IncomingHeaderBlock()
    private var events: [HTTP2ServerEvent] = []
    /// Answers by stream, kept until the stream closes.
    var answers: [Int32: OutgoingBody] = [:]
    /// Streams to reset behind their answer, since the rest of the request is not wanted.
    var resetAfterAnswer: Set<Int32> = []

    init(_ configuration: HTTP2ServerConfiguration) {
        headerListLimit = configuration.settings.maximumHeaderListBytes ?? Int.max
        maximumConcurrentStreams = configuration.settings.maximumConcurrentStreams ?? Int.max
        recordsRawFields = configuration.recordsRawFields
    }

    func append(_ event: HTTP2ServerEvent) {
        events.append(event)
    }

    func takeEvents() -> [HTTP2ServerEvent] {
        defer { events = [] }
        return events
    }

    func frameBegins(_ header: nghttp2_frame_hd) {
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue: block = IncomingHeaderBlock()
        case NGHTTP2_CONTINUATION.rawValue: break
        default: return
        }
        block.blockBytes += header.length
    }

    /// - Returns: What nghttp2 shall do with the stream.
    func headersBegin(_ frame: nghttp2_frame, session: OpaquePointer) -> Int32 {
        guard frame.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
        let stream = frame.hd.stream_id
        openStreams += 1
        guard openStreams - discarded.count > maximumConcurrentStreams else { return 0 }
        discarded.insert(stream)
        events.append(.refused(stream: stream))
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        nghttp2_submit_rst_stream(session, flags, stream, HTTP2ErrorCode.refusedStream.rawValue)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    func header(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, flags: UInt8) {
        block.append(
            name: name, value: value, neverIndexed: UInt32(flags) & NGHTTP2_NV_FLAG_NO_INDEX.rawValue != 0,
            limit: headerListLimit, recordsRawFields: recordsRawFields)
    }

    func data(stream: Int32, bytes: UnsafeBufferPointer<UInt8>) {
        guard !discarded.contains(stream) else { return }
        events.append(.data(stream: stream, bytes: Array(bytes), endStream: false))
    }

    func frameArrived(_ frame: nghttp2_frame, session: OpaquePointer) {
        switch UInt32(frame.hd.type) {
        case NGHTTP2_HEADERS.rawValue: headersArrived(frame, session: session)
        case NGHTTP2_DATA.rawValue: if frame.endsStream { endBody(stream: frame.hd.stream_id) }
        case NGHTTP2_RST_STREAM.rawValue:
            let code = HTTP2ErrorCode(rawValue: frame.rst_stream.error_code)
            events.append(.reset(stream: frame.hd.stream_id, code: code))
        case NGHTTP2_SETTINGS.rawValue: events.append(frame.isAcknowledgement ? .settingsAcknowledged : .settings)
        case NGHTTP2_PING.rawValue:
            let opaque = frame.pingOpaque
            events.append(frame.isAcknowledgement ? .pingAcknowledged(opaque: opaque) : .ping(opaque: opaque))
        case NGHTTP2_GOAWAY.rawValue:
            let (lastStream, code, debugData) = frame.goAwayContent
            events.append(.goAway(lastStream: lastStream, code: code, debugData: debugData))
        default: break
        }
    }

    /// nghttp2 drops an answer that waits when the stream is reset, so the reset comes when the answer is out.
    func frameSent(_ frame: nghttp2_frame, session: OpaquePointer) {
        let stream = frame.hd.stream_id
        guard frame.endsStream, UInt32(frame.hd.type) <= NGHTTP2_HEADERS.rawValue,
            resetAfterAnswer.remove(stream) != nil,
            nghttp2_session_get_stream_remote_close(session, stream) == 0
        else { return }
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        nghttp2_submit_rst_stream(session, flags, stream, HTTP2ErrorCode.noError.rawValue)
    }

    func streamClosed(_ stream: Int32, code: UInt32) {
        openStreams -= 1
        answers[stream] = nil
        resetAfterAnswer.remove(stream)
        guard discarded.remove(stream) == nil else { return }
        events.append(.closed(stream: stream, code: HTTP2ErrorCode(rawValue: code)))
    }

    private func headersArrived(_ frame: nghttp2_frame, session: OpaquePointer) {
        let stream = frame.hd.stream_id
        guard frame.headers.cat == NGHTTP2_HCAT_REQUEST else {
            if frame.endsStream { endBody(stream: stream) }
            return
        }
        guard block.listBytes <= headerListLimit else { return rejectHeaderList(stream: stream, session: session) }
        let request = HTTP2Request(
            stream: stream, head: block.requestHead, endStream: frame.endsStream,
            headerBlockBytes: block.blockBytes, rawFields: block.rawFields)
        block = IncomingHeaderBlock()
        events.append(.request(request))
    }

    /// RFC 9113 §10.5.1: a header list beyond the limit is answered with 431.
    private func rejectHeaderList(stream: Int32, session: OpaquePointer) {
        block = IncomingHeaderBlock()
        discarded.insert(stream)
        events.append(.rejected(stream: stream, status: 431))
        resetAfterAnswer.insert(stream)
        var encoder = FieldEncoder()
        encoder.append(":status", "431")
        _ = encoder.withVectors { nghttp2_submit_response(session, stream, $0, $1, nil) }
    }

    private func endBody(stream: Int32) {
        guard !discarded.contains(stream) else { return }
        if case .data(stream, let bytes, _)? = events.last {
            events[events.count - 1] = .data(stream: stream, bytes: bytes, endStream: true)
        } else {
            events.append(.data(stream: stream, bytes: [], endStream: true))
        }
    }
}
