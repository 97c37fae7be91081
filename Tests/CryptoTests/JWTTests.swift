import Bytes
import Crypto
import JSON
import Testing

@Suite struct `JSON Web Tokens` {
    static let claims = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    @Test func `HS256 of RFC 7515 A.1`() throws {
        let secret = try #require(
            Base64URL.decode("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"))
        let token = try JWT(
            parsing:
                "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(Self.claims).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(token.isSigned(for: .hs256(Secret(secret))))
        #expect(!token.isSigned(for: .hs256(Secret(secret + [0, 1]))))
        #expect(token.claims["iss"] == "joe" && token.claims["exp"]?.int64 == 1_300_819_380)
        #expect(token.claims["http://example.com/is_root"] == true)
    }

    @Test func `ES256 of RFC 7515 A.3`() throws {
        let x = try #require(Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"))
        let y = try #require(Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
        let key = try P256PublicKey(x963: [4] + x + y)
        let signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let token = try JWT(parsing: "eyJhbGciOiJFUzI1NiJ9.\(Self.claims).\(signature)")
        #expect(token.isSigned(for: .es256(key)))
        #expect(!token.isSigned(for: .es256(try P256PrivateKey.generate().publicKey)))
    }

    @Test func `round trip with every algorithm`() throws {
        let rsa = try RSAPrivateKey.generate()
        let curve = try P256PrivateKey.generate()
        let secret = Secret(SecureRandom.bytes(32))
        let pairs: [(JWTSigner, JWTVerifier)] = [
            (.rs256(rsa), .rs256(rsa.publicKey)), (.es256(curve), .es256(curve.publicKey)),
            (.hs256(secret), .hs256(secret)),
        ]
        for (place, pair) in pairs.enumerated() {
            let text = try JWT.encode(["iss": "a@b", "iat": 12], keyID: "k1", with: pair.0)
            let token = try JWT(parsing: text)
            #expect(token.keyID == "k1" && token.header["typ"] == "JWT" && token.claims["iat"] == 12)
            for (other, otherPair) in pairs.enumerated() {
                #expect(token.isSigned(for: otherPair.1) == (place == other))
            }
        }
    }

    @Test func `a token that changes its algorithm is never valid`() throws {
        let key = try RSAPrivateKey.generate()
        let asSecret = try JWT.encode(["iss": "x"], with: .hs256(Secret(key.publicKey.der)))
        #expect(try !JWT(parsing: asSecret).isSigned(for: .rs256(key.publicKey)))
        let header = Base64URL.encode(#"{"alg":"none"}"#.utf8)
        #expect(try !JWT(parsing: "\(header).e30.").isSigned(for: .rs256(key.publicKey)))
    }

    static let malformed: [(String, JWT.ParseError)] = [
        ("", .notThreeParts), ("a.b", .notThreeParts), ("a.b.c.d", .notThreeParts), ("..", .headerNotJSON),
        ("e30.e30.AA", .algorithmMissing), ("eyJhbGciOjF9.e30.AA", .algorithmMissing), ("!.e30.AA", .notBase64URL),
        ("eyJhbGciOiJIUzI1NiJ9.W10.AA", .claimsNotJSON), ("W10.e30.AA", .headerNotJSON),
        ("eyJhbGciOiJIUzI1NiJ9.e30.A", .notBase64URL), ("eyJhbGciOiJIUzI1NiJ9.e30.A\u{E9}", .notBase64URL),
        (String(repeating: "a", count: 9000), .tooLong),
    ]

    @Test(arguments: malformed.indices) func `malformed tokens are refused`(row: Int) {
        let (text, error) = Self.malformed[row]
        #expect(throws: error) { try JWT(parsing: text) }
    }
}
