/// Makes keys out of a shared secret. Source: RFC 5869, with SHA-256.
public enum HKDFSHA256 {
    public static let maximumByteCount = 255 * HMACSHA256.tagByteCount

    /// - Parameter byteCount: 0 to 8160.
    public static func derive(
        from secret: [UInt8], salt: [UInt8] = [], info: [UInt8] = [], byteCount: Int
    ) -> [UInt8] {
        precondition(0...maximumByteCount ~= byteCount, "HKDF gives at most 8160 bytes")
        let expander = HMACSHA256(key: HMACSHA256.tag(for: secret, key: salt))
        var output: [UInt8] = []
        var block: [UInt8] = []
        var counter: UInt8 = 0
        while output.count < byteCount {
            counter += 1
            block = expander.tag(for: block + info + [counter])
            output += block
        }
        return Array(output.prefix(byteCount))
    }
}
