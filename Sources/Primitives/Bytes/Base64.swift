/// Standard base64 with padding. Source: RFC 4648 §4. `Base64URL.decode` reads it too.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    public static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                output.append(
                    place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Reads both alphabets, with or without padding; see `Base64URL.decode`.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        Base64URL.decode(text)
    }
}
