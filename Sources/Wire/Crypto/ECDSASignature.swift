/// The two spellings of a P-256 signature: r and s side by side (RFC 7518 §3.4), and a DER sequence (RFC 3279 §2.2.3).
enum ECDSASignature {
    static let rawByteCount = 64
    private static let coordinateByteCount = 32

    static func raw(fromDER der: [UInt8]) -> [UInt8]? {
        guard var numbers = try? DERReader(der).onlyElement(.sequence).reader,
            let r = try? numbers.next(.integer), let s = try? numbers.next(.integer), numbers.isAtEnd,
            let left = padded(r.content), let right = padded(s.content)
        else { return nil }
        return left + right
    }

    /// - Parameter raw: 64 bytes.
    static func der(fromRaw raw: [UInt8]) -> [UInt8] {
        DER.sequence([
            DER.unsignedInteger(Array(raw.prefix(coordinateByteCount))),
            DER.unsignedInteger(Array(raw.suffix(coordinateByteCount))),
        ])
    }

    private static func padded(_ number: ArraySlice<UInt8>) -> [UInt8]? {
        let digits = number.drop { $0 == 0 }
        guard digits.count <= coordinateByteCount else { return nil }
        return [UInt8](repeating: 0, count: coordinateByteCount - digits.count) + digits
    }
}
