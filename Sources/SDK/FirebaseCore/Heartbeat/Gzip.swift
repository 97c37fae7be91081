/// A gzip file whose content is stored, not compressed: valid for every reader, and no library is needed for the few
/// hundred bytes of a heartbeat. Source: RFC 1951 §3.2.4, RFC 1952 §2.3.
package enum Gzip {
    package static func storing(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            output += [rest.isEmpty ? 1 : 0]
            output += littleEndian(length) + littleEndian(~length)
            output += block
        } while !rest.isEmpty
        return output + littleEndian(checksum(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    private static func littleEndian<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
    }

    /// CRC-32 as gzip uses it.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
                value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
            }
        }
    }
}
