/// Base64url without padding. Source: RFC 4648 §5.
public enum Base64URL {
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable(encode) ?? Array(bytes).withUnsafeBufferPointer(encode)
    }

    /// Reads base64url and standard base64, with or without padding. `nil` for any other character, or for left-over
    /// bits that are not zero.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        text.utf8.withContiguousStorageIfAvailable(decode) ?? Array(text.utf8).withUnsafeBufferPointer(decode)
    }

    private static func encode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let length = (bytes.count * 8 + 5) / 6
        return String(unsafeUninitializedCapacity: length) { output in
            var pending: UInt32 = 0
            var bits: UInt32 = 0
            var count = 0
            for byte in bytes {
                pending = pending << 8 | UInt32(byte)
                bits += 8
                while bits >= 6 {
                    bits -= 6
                    output[count] = digit(of: pending >> bits & 63)
                    count += 1
                }
            }
            if bits > 0 {
                output[count] = digit(of: pending << (6 - bits) & 63)
                count += 1
            }
            return count
        }
    }

    private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let digits = text.prefix { $0 != UInt8(ascii: "=") }
        let padding = text.dropFirst(digits.count)
        guard digits.count % 4 != 1, padding.isEmpty || digits.count % 4 > 1, padding.count <= 2,
            padding.allSatisfy({ $0 == UInt8(ascii: "=") })
        else {
            return nil
        }
        var isGood = true
        let output = [UInt8](unsafeUninitializedCapacity: digits.count * 3 / 4) { output, count in
            var pending: UInt32 = 0
            var bits: UInt32 = 0
            var seen: UInt8 = 0
            values.withUnsafeBufferPointer { values in
                for character in digits {
                    let value = values[Int(character)]
                    seen |= value
                    pending = pending << 6 | UInt32(value & 63)
                    bits += 6
                    guard bits >= 8 else { continue }
                    bits -= 8
                    output.initializeElement(at: count, to: UInt8(truncatingIfNeeded: pending >> bits))
                    count += 1
                }
            }
            isGood = seen & noDigit == 0 && pending & (1 << bits - 1) == 0
        }
        return isGood ? output : nil
    }

    /// Marks a character that is no digit.
    private static let noDigit: UInt8 = 0x80
    /// The value of each character.
    private static let values = (0...255).map { value(of: UInt8($0)) ?? noDigit }

    /// - Parameter value: 0 to 63.
    private static func digit(of value: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: value)
        switch value {
        case 0..<26: return UInt8(ascii: "A") + value
        case 26..<52: return UInt8(ascii: "a") + value - 26
        case 52..<62: return UInt8(ascii: "0") + value - 52
        case 62: return UInt8(ascii: "-")
        default: return UInt8(ascii: "_")
        }
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
