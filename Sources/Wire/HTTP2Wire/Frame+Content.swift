internal import CNghttp2

extension nghttp2_frame {
    var endsStream: Bool { UInt32(hd.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0 }

    var isAcknowledgement: Bool { UInt32(hd.flags) & NGHTTP2_FLAG_ACK.rawValue != 0 }

    /// The eight bytes of a PING frame as a number in network order.
    var pingOpaque: UInt64 {
        withUnsafeBytes(of: ping.opaque_data) { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
    }

    /// The content of a GOAWAY frame.
    var goAwayContent: (lastStream: Int32, code: HTTP2ErrorCode, debugData: [UInt8]) {
        let debugData = Array(UnsafeBufferPointer(start: goaway.opaque_data, count: goaway.opaque_data_len))
        return (goaway.last_stream_id, HTTP2ErrorCode(rawValue: goaway.error_code), debugData)
    }
}
