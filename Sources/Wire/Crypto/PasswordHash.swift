public import Bytes
internal import COpenSSL

/// A password that can be checked but not read back: scrypt with its salt and cost. Source: RFC 7914.
///
/// Text form: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`, both base64url.
///
/// The cost: 2¹⁵ blocks of 1 KiB are 32 MB, too much for the fast memory of graphics cards and little enough for a small
/// server, and three rounds make up for the 128 MB that one round should have (OWASP Password Storage Cheat Sheet, scrypt:
/// N = 2¹⁷ and p = 1, or N = 2¹⁵ and p = 3).
public struct PasswordHash: Hashable, Sendable {
    private static let costExponent = 15
    private static let blockSize = 8
    private static let parallelism = 3
    private static let currentCost = Cost(exponent: costExponent, blockSize: blockSize, parallelism: parallelism)
    /// The cost of new hashes as their text has it.
    public static let usualCost = currentCost.text
    private static let maximumMemoryBytes: UInt64 = 256 << 20

    public let text: String

    /// Takes about 0.2 s of one core and 32 MB while it runs: on purpose.
    public init(of password: Secret<String>) throws(CryptoError) {
        let salt = SecureRandom.bytes(16)
        let hash = try Self.scrypt(password.reveal(), salt: salt, cost: Self.currentCost, byteCount: 32)
        text = "$scrypt$\(Self.usualCost)$\(Base64URL.encode(salt))$\(Base64URL.encode(hash))"
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

    private struct Cost: Sendable {
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
