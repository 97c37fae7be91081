internal import CNghttp2

extension HTTP2ServerObserver {
    /// C holds the observer unretained: its session is deleted first, so no callback outlives it.
    static func install(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, context in
            guard let header else { return 0 }
            HTTP2ServerObserver.with(context) { $0.frameBegins(header.pointee) }
            return 0
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, context in
            guard let session, let frame else { return 0 }
            return HTTP2ServerObserver.with(context) { $0.headersBegin(frame.pointee, session: session) } ?? 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, _, name, nameCount, value, valueCount, flags, context in
            let name = UnsafeBufferPointer(start: name, count: nameCount)
            let value = UnsafeBufferPointer(start: value, count: valueCount)
            HTTP2ServerObserver.with(context) { $0.header(name: name, value: value, flags: flags) }
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, context in
            HTTP2ServerObserver.with(context) {
                $0.data(stream: stream, bytes: UnsafeBufferPointer(start: bytes, count: count))
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, context in
            guard let session, let frame else { return 0 }
            HTTP2ServerObserver.with(context) { $0.frameArrived(frame.pointee, session: session) }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { session, frame, context in
            guard let session, let frame else { return 0 }
            HTTP2ServerObserver.with(context) { $0.frameSent(frame.pointee, session: session) }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, context in
            HTTP2ServerObserver.with(context) { $0.streamClosed(stream, code: code) }
            return 0
        }
    }

    @discardableResult
    private static func with<Result>(
        _ context: UnsafeMutableRawPointer?, _ body: (HTTP2ServerObserver) -> Result
    ) -> Result? {
        guard let context else { return nil }
        return Unmanaged<HTTP2ServerObserver>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
    }
}
