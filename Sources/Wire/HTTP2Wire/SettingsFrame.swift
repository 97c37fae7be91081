internal import CNghttp2

/// Edits a serialized SETTINGS frame.
///
/// nghttp2 ends the connection when a peer opens more streams than were announced; this server refuses the stream alone
/// (`REFUSED_STREAM`, which clients retry). So nghttp2 is told of no limit, and the announced one is written here.
enum SettingsFrame {
    private static let headerBytes = 9
    private static let entryBytes = 6

    static func isSettings(_ frame: UnsafeRawBufferPointer) -> Bool {
        frame.count > headerBytes && UInt32(frame[3]) == NGHTTP2_SETTINGS.rawValue
    }

    /// - Returns: `false` when the frame has no such entry.
    static func replaceStreamLimit(in frame: inout [UInt8], with limit: Int) -> Bool {
        var offset = headerBytes
        while offset + entryBytes <= frame.count {
            let id = UInt32(frame[offset]) << 8 | UInt32(frame[offset + 1])
            if id == NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue {
                let value = UInt32(clamping: limit)
                for byte in 0..<4 {
                    frame[offset + 2 + byte] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * byte))
                }
                return true
            }
            offset += entryBytes
        }
        return false
    }
}
