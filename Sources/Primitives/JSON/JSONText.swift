/// Strings in JSON text: everything stands for itself but the quote, the backslash and control characters.
public enum JSONText {
    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// Appends the string with its quotes. `/` and characters beyond ASCII are not escaped. Source: RFC 8259 §7.
    public static func append(_ text: String, to output: inout [UInt8]) {
        var text = text
        output.append(UInt8(ascii: "\""))
        text.withUTF8 { buffer in
            var start = 0
            while let position = buffer[start...].firstIndex(where: needsEscape) {
                output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start..<position]))
                appendEscape(of: buffer[position], to: &output)
                start = position + 1
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start...]))
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0..<0x20:
            output.append(contentsOf: "u00".utf8)
            output.append(hexDigits[Int(byte >> 4)])
            output.append(hexDigits[Int(byte & 15)])
        default: output.append(byte)
        }
    }
}
