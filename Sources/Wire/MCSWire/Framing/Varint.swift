/// The length before a payload: base 128, least group first. Source: protobuf.dev, Encoding.
enum Varint {
    /// What the reader takes; more would be lengths that no peer can mean.
    static let maximumBytes = 5

    static func size(of value: UInt64) -> Int {
        (max(1, 64 - value.leadingZeroBitCount) + 6) / 7
    }

    static func append(_ value: UInt64, to output: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(truncatingIfNeeded: rest))
    }

    /// - Returns: The value and how many bytes it took, or `nil` until its last byte is there.
    static func read(_ bytes: ArraySlice<UInt8>) throws(MCSError) -> (value: Int, bytes: Int)? {
        var value = 0
        for (place, byte) in bytes.prefix(maximumBytes).enumerated() {
            value |= Int(byte & 0x7F) << (7 * place)
            if byte < 0x80 { return (value, place + 1) }
        }
        guard bytes.count < maximumBytes else { throw .badLength }
        return nil
    }
}
