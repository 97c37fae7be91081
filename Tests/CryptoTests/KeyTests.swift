import Bytes
import Testing

@testable import Crypto

@Suite struct `Private keys from text` {
    static let key: P256PrivateKey? = try? .generate()
    static let rsa: RSAPrivateKey? = try? .generate()

    /// Shapes that keys take on their way through forms and variables.
    static let shapes: [(name: String, reshape: @Sendable (String) -> String)] = [
        ("unchanged", { $0 }),
        ("CRLF line ends", { $0.replacingLineEnds(with: "\r\n") }),
        ("one line with \\n", { $0.replacingLineEnds(with: "\\n") }),
        ("one line with doubled \\\\n", { $0.replacingLineEnds(with: "\\\\n") }),
        ("one line with \\r\\n", { $0.replacingLineEnds(with: "\\r\\n") }),
        ("one line with blanks", { $0.replacingLineEnds(with: " ") }),
        ("only base64", { $0.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n") }),
        ("only base64 on one line", { $0.split(separator: "\n").dropFirst().dropLast().joined() }),
        ("blank line before, blanks after", { "\n" + $0.replacingLineEnds(with: "  \n") + "  " }),
        ("no last line end", { String($0.dropLast()) }),
        ("quotes around", { "\"\($0)\"" }),
        ("quotes and \\n", { "'\($0.replacingLineEnds(with: "\\n"))'" }),
        ("text before", { "Key ID: ABC\n\($0)" }),
    ]

    @Test(arguments: shapes.indices) func `are read in every shape`(index: Int) throws {
        let key = try #require(Self.key)
        let rsa = try #require(Self.rsa)
        let reshape = Self.shapes[index].reshape
        #expect(try P256PrivateKey(pem: reshape(key.pem)).publicKey == key.publicKey)
        #expect(try RSAPrivateKey(pem: reshape(rsa.pem)).publicKey == rsa.publicKey)
        #expect(try P256PrivateKey(file: Array(reshape(key.pem).utf8)).publicKey == key.publicKey)
    }

    @Test func `are read from DER and from their older containers`() throws {
        let key = try #require(Self.key)
        let rsa = try #require(Self.rsa)
        #expect(try P256PrivateKey(file: key.handle.privateKeyDER).publicKey == key.publicKey)
        let pkcs1 = PEM.encode("RSA PRIVATE KEY", try innerKey(of: rsa.handle.privateKeyDER))
        #expect(try RSAPrivateKey(pem: pkcs1).publicKey == rsa.publicKey)
        #expect(pkcs1 != rsa.pem)
    }

    @Test func `are written as PKCS 8 with a last line end`() throws {
        let rsa = try #require(Self.rsa)
        #expect(rsa.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(rsa.pem.hasSuffix("-----END PRIVATE KEY-----\n"))
        #expect(rsa.pem.split(separator: "\n").allSatisfy { $0.utf8.count <= 64 })
    }

    @Test func `are refused with the reason`() throws {
        let key = try #require(Self.key)
        let rsa = try #require(Self.rsa)
        let authority = try CertificateAuthority.generate(name: "a", validity: .init(uncheckedBounds: (.zero, .later)))
        let cut = String(key.pem.dropLast(40))
        let rows: [(String, KeyError)] = [
            (rsa.pem, .wrongAlgorithm(found: "RSA", wanted: "EC P-256")),
            (authority.certificate.pem, .certificateInsteadOfKey),
            (PEM.encode("PRIVATE KEY", authority.certificate.der), .certificateInsteadOfKey),
            (key.publicKey.pem, .publicKeyInsteadOfPrivateKey),
            ("", .empty), (" \r\n", .empty), ("hello!", .notPEM), ("-----BEGIN PRIVATE KEY", .notPEM),
            (cut, .missingEndLine), (key.pem.replacing("M", with: "!"), .notBase64),
            ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----", .encrypted),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----",
                .encrypted
            ),
            (PEM.encode("PRIVATE KEY", [0x30, 0x03, 1, 2, 3]), .damaged("private key")),
            (PEM.encode("PRIVATE KEY", key.handle.privateKeyDER.dropLast(4) + []), .damaged("private key")),
            (PEM.encode("PRIVATE KEY", key.handle.privateKeyDER + [0]), .damaged("private key")),
            (String(repeating: "A", count: 300_000), .tooLarge),
        ]
        for (text, reason) in rows {
            #expect(throws: reason) { try P256PrivateKey(pem: text) }
            #expect(!reason.description.isEmpty)
        }
        #expect(throws: KeyError.certificateInsteadOfKey) { try P256PrivateKey(file: authority.certificate.der) }
        #expect(throws: KeyError.wrongAlgorithm(found: "EC P-256", wanted: "RSA")) { try RSAPrivateKey(pem: key.pem) }
    }

    @Test func `damage never traps`() throws {
        var random = SystemRandomNumberGenerator()
        let pem = Array(try #require(Self.key).pem.utf8)
        for _ in 0..<500 {
            var text = pem
            for _ in 0..<3 {
                text[Int.random(in: text.indices, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            _ = try? P256PrivateKey(file: text)
            _ = try? P256PublicKey(pem: String(decoding: text, as: UTF8.self))
        }
    }

    private func innerKey(of pkcs8: [UInt8]) throws -> [UInt8] {
        var fields = try DERReader(pkcs8).onlyElement(.sequence).reader
        _ = try fields.next(.integer)
        _ = try fields.next(.sequence)
        return Array(try fields.next(.octetString).content)
    }
}

@Suite struct `Signatures` {
    @Test func `RS256 verifies what it signed and nothing else`() throws {
        let key = try RSAPrivateKey.generate()
        let signature = try key.sign([1, 2, 3])
        let publicKey = try RSAPublicKey(der: key.publicKey.der)
        #expect(signature.count == 256)
        #expect(publicKey.isValid(signature: signature, for: [1, 2, 3]))
        #expect(try RSAPublicKey(pem: key.publicKey.pem).isValid(signature: signature, for: [1, 2, 3]))
        #expect(!publicKey.isValid(signature: signature, for: [1, 2, 4]))
        #expect(!publicKey.isValid(signature: [], for: [1, 2, 3]))
        #expect(!publicKey.isValid(signature: signature + [0], for: [1, 2, 3]))
        #expect(try !RSAPrivateKey.generate().publicKey.isValid(signature: signature, for: [1, 2, 3]))
    }

    @Test func `ES256 verifies both spellings`() throws {
        let key = try P256PrivateKey.generate()
        let publicKey = try P256PublicKey(x963: key.publicKey.x963)
        #expect(publicKey == key.publicKey)
        for message in (0..<64).map({ [UInt8](repeating: $0, count: Int($0)) }) {
            let raw = try key.sign(message)
            #expect(raw.count == 64)
            #expect(publicKey.isValid(signature: raw, for: message))
            #expect(publicKey.isValid(signature: try key.signDER(message), for: message))
            #expect(!publicKey.isValid(signature: raw, for: message + [0]))
            #expect(!publicKey.isValid(signature: raw.reversed(), for: message))
        }
        for bad in [[], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xFF, count: 64), [0x30], [0x30, 0x80]] {
            #expect(!publicKey.isValid(signature: bad, for: [1]))
        }
    }

    @Test func `points off the curve are refused`() throws {
        let point = try P256PrivateKey.generate().publicKey.x963
        #expect(throws: KeyError.self) { try P256PublicKey(x963: [4] + [UInt8](repeating: 1, count: 64)) }
        #expect(throws: KeyError.self) { try P256PublicKey(x963: Array(point.dropLast())) }
        #expect(throws: KeyError.self) { try P256PublicKey(x963: [2] + point.dropFirst()) }
        #expect(throws: KeyError.self) { try P256PublicKey(der: []) }
        #expect(throws: KeyError.self) { try RSAPublicKey(der: P256PrivateKey.generate().publicKey.der) }
    }
}

extension String {
    func replacingLineEnds(with mark: String) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).joined(separator: mark)
    }

    func replacing(_ character: Character, with other: Character) -> String {
        let lines = split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            line.hasPrefix("--") ? String(line) : String(line.map { $0 == character ? other : $0 })
        }.joined(separator: "\n")
    }
}
