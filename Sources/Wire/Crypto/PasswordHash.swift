public import Bytes
internal import COpenSSL

/// A password that can be checked but not read back: scrypt with its salt and cost. Source: RFC 7914.
///
/// Text form: `$scrypt$ln=15,r=8,p=1$<salt>$<hash>`, both base64url.
public struct PasswordHash: Hashable, Sendable {
    private static let costExponent = 15
    private static let blockSize = 8
    private static let parallelism = 1
    private static let maximumMemoryBytes: UInt64 = 256 << 20

    public let text: String

    /// Takes about 60 ms of one core and 32 MB while it runs: on purpose.
    public init(of password: Secret<String>) throws(CryptoError) {
        let salt = SecureRandom.bytes(16)
        let cost = Cost(exponent: Self.costExponent, blockSize: Self.blockSize, parallelism: Self.parallelism)
        let hash = try Self.scrypt(password.reveal(), salt: salt, cost: cost, byteCount: 32)
        text = "$scrypt$\(cost.text)$\(Base64URL.encode(salt))$\(Base64URL.encode(hash))"
    }

    /// - Returns: `nil` for a text that is not such a hash, or whose cost is beyond reason.
    public init?(text: String) {
        guard Self.parts(of: text) != nil else { return nil }
        self.text = text
    }

    public func matches(_ password: Secret<String>) -> Bool {
        guard let (cost, salt, expected) = Self.parts(of: text),
            let hash = try? Self.scrypt(password.reveal(), salt: salt, cost: cost, byteCount: expected.count)
        else { return false }
        return ConstantTime.isEqual(hash, expected)
    }

    private struct Cost {
        var exponent: Int
        var blockSize: Int
        var parallelism: Int

        var text: String { "ln=\(exponent),r=\(blockSize),p=\(parallelism)" }
    }

    private static func parts(of text: String) -> (Cost, salt: [UInt8], hash: [UInt8])? {
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0].isEmpty, fields[1] == "scrypt", let cost = cost(of: fields[2]),
            let salt = Base64URL.decode(fields[3]), let hash = Base64URL.decode(fields[4]), 16...64 ~= hash.count
        else { return nil }
        return (cost, salt, hash)
    }

    private static func cost(of text: Substring) -> Cost? {
        let pairs = text.split(separator: ",").map { $0.split(separator: "=") }
        guard pairs.count == 3, pairs.allSatisfy({ $0.count == 2 }), pairs.map({ $0[0] }) == ["ln", "r", "p"],
            let exponent = Int(pairs[0][1]), let blockSize = Int(pairs[1][1]), let parallelism = Int(pairs[2][1]),
            1...17 ~= exponent, 1...16 ~= blockSize, 1...4 ~= parallelism
        else { return nil }
        return Cost(exponent: exponent, blockSize: blockSize, parallelism: parallelism)
    }

    private static func scrypt(
        _ password: String, salt: [UInt8], cost: Cost, byteCount: Int
    ) throws(CryptoError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: byteCount)
        let password = Array(password.utf8).map { CChar(bitPattern: $0) }
        try check(
            EVP_PBE_scrypt(
                password, password.count, salt, salt.count, 1 << UInt64(cost.exponent), UInt64(cost.blockSize),
                UInt64(cost.parallelism), maximumMemoryBytes, &output, byteCount))
        return output
    }
}
