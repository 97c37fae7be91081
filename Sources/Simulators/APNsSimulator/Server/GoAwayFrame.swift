/// A GOAWAY frame by hand, for a connection that says it before its SETTINGS. Source: RFC 9113 §6.8.
enum GoAwayFrame {
    static func bytes(lastStream: UInt32 = 0, code: UInt32, debugData: [UInt8]) -> [UInt8] {
        let length = UInt32(8 + debugData.count)
        let header: [UInt8] = [
            UInt8(truncatingIfNeeded: length >> 16), UInt8(truncatingIfNeeded: length >> 8),
            UInt8(truncatingIfNeeded: length), 7, 0, 0, 0, 0, 0,
        ]
        return header + bigEndian(lastStream & 0x7FFF_FFFF) + bigEndian(code) + debugData
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
