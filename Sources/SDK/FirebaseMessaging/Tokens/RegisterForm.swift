/// The body of the register calls: `name=value` pairs joined by `&`, values as they are.
///
/// The official client sends values without percent-encoding, so servers do not expect any in `1:123:ios:abc`. Only
/// bytes that would break the form apart are encoded.
struct RegisterForm: Sendable {
    private var pairs: [(String, String)] = []

    mutating func add(_ name: String, _ value: String) {
        pairs.append((name, value))
    }

    var encoded: [UInt8] {
        Array(pairs.map { "\($0)=\(Self.protect($1))" }.joined(separator: "&").utf8)
    }

    private static func protect(_ value: String) -> String {
        guard value.utf8.contains(where: breaksForm) else { return value }
        var output: [UInt8] = []
        for byte in value.utf8 {
            if breaksForm(byte) {
                output += Array("%".utf8) + digits(byte)
            } else {
                output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func breaksForm(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "=")
            || byte == UInt8(ascii: "%")
    }

    private static func digits(_ byte: UInt8) -> [UInt8] {
        let hex = Array("0123456789ABCDEF".utf8)
        return [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
    }
}
