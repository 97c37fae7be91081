import Bytes
import Testing

@testable import Crypto

@Suite struct `Key agreement on P-256` {
    private static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

    /// NIST CAVP, "ECC CDH Primitive", P-256, count 0.
    @Test func `gives what NIST computed`() throws {
        let key = try P256PrivateKey(
            scalar: #require(Hex.decode("7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534")))
        let other = try P256PublicKey(
            x963: [4]
                + #require(
                    Hex.decode(
                        "700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287"
                            + "db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac")))
        #expect(
            Hex.encode(try key.sharedSecret(with: other))
                == "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b")
        #expect(
            Hex.encode(key.publicKey.x963)
                == "04ead218590119e8876b29146ff89ca61770c4edbbf97d38ce385ed281d8a6b230"
                + "28af61281fd35e2fa7002523acc85a429cb06ee6648325389f59edfce1405141")
    }

    @Test func `is the same from both sides`() throws {
        for _ in 0..<20 {
            let (one, other) = (try P256PrivateKey.generate(), try P256PrivateKey.generate())
            #expect(try one.sharedSecret(with: other.publicKey) == other.sharedSecret(with: one.publicKey))
        }
    }

    @Test func `refuses numbers that are no private keys`() throws {
        let order = try #require(Hex.decode(Self.order))
        var largest = order
        largest[31] -= 1
        let rows = [
            [], [1], [UInt8](repeating: 1, count: 31), [UInt8](repeating: 1, count: 33),
            [UInt8](repeating: 0, count: 32),
            [UInt8](repeating: 0xFF, count: 32), order,
        ]
        for row in rows { #expect(throws: KeyError.self) { try P256PrivateKey(scalar: row) } }
        #expect(throws: Never.self) { try P256PrivateKey(scalar: largest) }
        #expect(throws: Never.self) { try P256PrivateKey(scalar: [UInt8](repeating: 0, count: 31) + [1]) }
    }

    @Test func `with keys that follow from a secret is the same each time, and different for each purpose`() throws {
        let secret = [UInt8](repeating: 7, count: 32)
        let key = try P256PrivateKey.derived(from: secret, info: [1])
        #expect(try P256PrivateKey.derived(from: secret, info: [1]).publicKey == key.publicKey)
        #expect(try P256PrivateKey.derived(from: secret, info: [2]).publicKey != key.publicKey)
        #expect(try P256PrivateKey.derived(from: [8], info: [1]).publicKey != key.publicKey)
        let message = Array("signed".utf8)
        #expect(key.publicKey.isValid(signature: try key.sign(message), for: message))
    }
}
