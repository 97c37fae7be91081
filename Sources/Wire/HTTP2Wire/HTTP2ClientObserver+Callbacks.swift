internal import CNghttp2

extension HTTP2ClientObserver {
    /// C holds the observer unretained: its session is deleted first, so no callback outlives it.
    static func install(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, _, context in
            HTTP2ClientObserver.with(context) { $0.headersBegin() }
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, _, name, nameCount, value, valueCount, flags, context in
            let name = UnsafeBufferPointer(start: name, count: nameCount)
            let value = UnsafeBufferPointer(start: value, count: valueCount)
            HTTP2ClientObserver.with(context) { $0.header(name: name, value: value, flags: flags) }
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, context in
            HTTP2ClientObserver.with(context) {
                $0.data(stream: stream, bytes: UnsafeBufferPointer(start: bytes, count: count))
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, context in
            guard let session, let frame else { return 0 }
            HTTP2ClientObserver.with(context) { $0.frameArrived(frame.pointee, session: session) }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, _, context in
            guard let frame else { return 0 }
            HTTP2ClientObserver.with(context) { $0.frameNotSent(frame.pointee) }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, context in
            HTTP2ClientObserver.with(context) { $0.streamClosed(stream, code: code) }
            return 0
        }
    }

    private static func with(_ context: UnsafeMutableRawPointer?, _ body: (HTTP2ClientObserver) -> Void) {
        guard let context else { return }
        Unmanaged<HTTP2ClientObserver>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
    }
}
