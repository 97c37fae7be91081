internal import CNghttp2

/// Owns one nghttp2 session: bytes in, bytes out, and the calls that both ends of a connection share.
struct SessionHandle: ~Copyable {
    enum Role { case client, server }

    /// Eight frames. The library counts one for every piece that the nine bytes of a frame header arrive in.
    private static let maximumContinuations = 8 * 9

    let session: OpaquePointer

    /// - Parameter observer: Passed to every callback; the owner keeps it alive longer than the handle.
    init(
        role: Role, observer: UnsafeMutableRawPointer, flowControl: HTTP2FlowControl, answersPings: Bool,
        callbacks install: (OpaquePointer) -> Void
    ) {
        var callbacks: OpaquePointer?
        var option: OpaquePointer?
        var session: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        nghttp2_option_new(&option)
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(option)
        }
        guard let callbacks, let option else { fatalError("out of memory") }
        install(callbacks)
        nghttp2_option_set_no_closed_streams(option, 1)
        nghttp2_option_set_no_auto_window_update(option, flowControl == .manual ? 1 : 0)
        nghttp2_option_set_max_continuations(option, Self.maximumContinuations)
        nghttp2_option_set_no_auto_ping_ack(option, answersPings ? 0 : 1)
        switch role {
        case .client: nghttp2_session_client_new2(&session, callbacks, observer, option)
        case .server: nghttp2_session_server_new2(&session, callbacks, observer, option)
        }
        guard let session else { fatalError("out of memory") }
        self.session = session
    }

    deinit {
        nghttp2_session_del(session)
    }

    var wantsWrite: Bool { nghttp2_session_want_write(session) != 0 }
    var wantsRead: Bool { nghttp2_session_want_read(session) != 0 }
    var queuedFrames: Int { nghttp2_session_get_outbound_queue_size(session) }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        try check(Int32(clamping: nghttp2_session_mem_recv(session, base, bytes.count)))
    }

    /// The next frame to write; valid until the next call.
    func nextFrame() throws(HTTP2Error) -> UnsafeRawBufferPointer? {
        var frame: UnsafePointer<UInt8>?
        let count = nghttp2_session_mem_send(session, &frame)
        try check(Int32(clamping: count))
        guard count > 0, let frame else { return nil }
        return UnsafeRawBufferPointer(start: frame, count: count)
    }

    func submit(settings entries: [nghttp2_settings_entry]) throws(HTTP2Error) {
        try check(nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count))
    }

    func setConnectionWindow(bytes: Int) throws(HTTP2Error) {
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        try check(nghttp2_session_set_local_window_size(session, flags, 0, Int32(clamping: max(bytes, 65_535))))
    }

    func submitPing(opaque: UInt64, acknowledges: Bool = false) throws(HTTP2Error) {
        let flags = acknowledges ? NGHTTP2_FLAG_ACK : NGHTTP2_FLAG_NONE
        let data = withUnsafeBytes(of: opaque.bigEndian) { Array($0) }
        try check(nghttp2_submit_ping(session, UInt8(flags.rawValue), data))
    }

    func submitReset(stream: Int32, code: HTTP2ErrorCode) throws(HTTP2Error) {
        try check(nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue))
    }

    func submitGoAway(lastStream: Int32, code: HTTP2ErrorCode, debugData: [UInt8]) throws(HTTP2Error) {
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        try check(nghttp2_submit_goaway(session, flags, lastStream, code.rawValue, debugData, debugData.count))
    }

    /// Never more than was received: nghttp2 would end the connection.
    func consume(stream: Int32, bytes: Int) throws(HTTP2Error) {
        let received = Int(nghttp2_session_get_effective_recv_data_length(session))
        try check(nghttp2_session_consume(session, stream, min(max(bytes, 0), received)))
    }

    func check(_ code: Int32) throws(HTTP2Error) {
        guard code >= 0 else { throw HTTP2Error(libraryCode: code) }
    }
}
