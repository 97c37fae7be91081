internal import CNghttp2

extension HTTP2Settings {
    /// The entries of the frame, each value brought into the range that RFC 9113 §6.5.2 allows.
    var entries: [nghttp2_settings_entry] {
        var entries: [nghttp2_settings_entry] = []
        func add(_ id: nghttp2_settings_id, _ value: Int?, in range: ClosedRange<Int>) {
            guard let value else { return }
            let bounded = UInt32(min(max(value, range.lowerBound), range.upperBound))
            entries.append(nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: bounded))
        }
        add(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, headerTableBytes, in: 0...65_536)
        add(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, maximumConcurrentStreams, in: 0...Int(Int32.max))
        add(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, initialWindowBytes, in: 0...Int(Int32.max))
        add(NGHTTP2_SETTINGS_MAX_FRAME_SIZE, maximumFrameBytes, in: 16_384...16_777_215)
        add(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, maximumHeaderListBytes, in: 0...Int(UInt32.max))
        return entries
    }
}
