/// Integers packed seven bits to a byte, lowest first; the high bit says that more follow.
enum PackedIntegers {
    static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Reads the integer at a place and moves the place behind it.
    /// - Returns: `nil` at the end, and when the bytes are not such an integer.
    @inline(__always)
    static func next(in bytes: UnsafeRawBufferPointer, at place: inout Int) -> UInt64? {
        guard place < bytes.count else { return nil }
        let first = bytes[place]
        place += 1
        if first < 0x80 { return UInt64(first) }
        var value = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while place < bytes.count, shift < 64 {
            let byte = bytes[place]
            place += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }
}
