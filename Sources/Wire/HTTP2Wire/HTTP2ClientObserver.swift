internal import CNghttp2
internal import HTTPSemantics

/// Receives the callbacks of a client's session and turns them into events.
final class HTTP2ClientObserver {
    private let headerListLimit: Int
    private let keepsResponseFields: Bool
    // Unchecked because the checks cost a client a tenth of its time; nothing calls back while these change.
    @exclusivity(unchecked) private var block = IncomingHeaderBlock()
    @exclusivity(unchecked) private var events: [HTTP2ClientEvent] = []
    /// Requests that are submitted and not closed, with their bodies.
    @exclusivity(unchecked) var requests: [Int32: OutgoingBody] = [:]
    let unsentBytes = UnsentBytes()
    private(set) var peerSettingsReceived = false
    private(set) var isGoingAway = false

    init(_ configuration: HTTP2ClientConfiguration) {
        keepsResponseFields = configuration.keepsResponseFields
        headerListLimit = configuration.settings.maximumHeaderListBytes ?? Int.max
    }

    func append(_ event: HTTP2ClientEvent) {
        events.append(event)
    }

    func takeEvents() -> [HTTP2ClientEvent] {
        let taken = events
        events = []
        // The next batch will be about as large: no growing step by step.
        events.reserveCapacity(taken.count)
        return taken
    }

    func headersBegin() {
        block = IncomingHeaderBlock()
    }

    func header(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, flags: UInt8) {
        guard keepsResponseFields else {
            return block.note(name: name, value: value, limit: headerListLimit)
        }
        block.append(name: name, value: value, neverIndexed: false, limit: headerListLimit, recordsRawFields: false)
    }

    func data(stream: Int32, bytes: UnsafeBufferPointer<UInt8>) {
        events.append(.data(stream: stream, bytes: Array(bytes), endStream: false))
    }

    func frameArrived(_ frame: nghttp2_frame, session: OpaquePointer) {
        switch UInt32(frame.hd.type) {
        case NGHTTP2_HEADERS.rawValue: headersArrived(frame, session: session)
        case NGHTTP2_DATA.rawValue: if frame.endsStream { endBody(stream: frame.hd.stream_id) }
        case NGHTTP2_SETTINGS.rawValue:
            if !frame.isAcknowledgement { peerSettingsReceived = true }
            events.append(frame.isAcknowledgement ? .settingsAcknowledged : .settings)
        case NGHTTP2_PING.rawValue:
            let opaque = frame.pingOpaque
            events.append(frame.isAcknowledgement ? .pingAcknowledged(opaque: opaque) : .ping(opaque: opaque))
        case NGHTTP2_GOAWAY.rawValue:
            isGoingAway = true
            let (lastStream, code, debugData) = frame.goAwayContent
            events.append(.goAway(lastStream: lastStream, code: code, debugData: debugData))
        default: break
        }
    }

    /// A request that was submitted but never written, because the connection is going away.
    func frameNotSent(_ frame: nghttp2_frame) {
        guard UInt32(frame.hd.type) == NGHTTP2_HEADERS.rawValue else { return }
        streamClosed(frame.hd.stream_id, code: HTTP2ErrorCode.refusedStream.rawValue)
    }

    func streamClosed(_ stream: Int32, code: UInt32) {
        guard let request = requests.removeValue(forKey: stream) else { return }
        unsentBytes.count -= request.unsentBytes
        events.append(.closed(stream: stream, code: HTTP2ErrorCode(rawValue: code)))
    }

    private func headersArrived(_ frame: nghttp2_frame, session: OpaquePointer) {
        let stream = frame.hd.stream_id
        defer { block = IncomingHeaderBlock() }
        guard block.listBytes <= headerListLimit else {
            let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
            nghttp2_submit_rst_stream(session, flags, stream, HTTP2ErrorCode.cancel.rawValue)
            return
        }
        if block.status >= 200 || block.status == 0 && frame.headers.cat == NGHTTP2_HCAT_RESPONSE {
            events.append(
                .response(stream: stream, status: block.status, fields: block.fields, endStream: frame.endsStream))
        } else if block.status == 0, frame.endsStream {
            endBody(stream: stream)
        }
    }

    private func endBody(stream: Int32) {
        if case .data(stream, let bytes, _)? = events.last {
            events[events.count - 1] = .data(stream: stream, bytes: bytes, endStream: true)
        } else {
            events.append(.data(stream: stream, bytes: [], endStream: true))
        }
    }
}
