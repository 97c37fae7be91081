import Bytes
import Crypto
import Testing

@Suite struct `Digests and keyed digests` {
    @Test func `SHA-256 and SHA-1 of FIPS 180`() {
        #expect(
            Hex.encode(SHA256.hash("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            Hex.encode(SHA256.hash([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(Hex.encode(SHA1.hash(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    }

    static let hmacRows: [(name: String, key: [UInt8], message: [UInt8], tag: String)] = [
        (
            "RFC 4231 case 1", [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "RFC 4231 case 2", Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            "RFC 4231 case 6", [UInt8](repeating: 0xAA, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        ("nothing at all", [], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ]

    @Test(arguments: hmacRows.indices) func `HMAC-SHA256`(row: Int) {
        let (_, key, message, tag) = Self.hmacRows[row]
        let hmac = HMACSHA256(key: key)
        #expect(Hex.encode(hmac.tag(for: message)) == tag)
        #expect(Hex.encode(hmac.tag(for: message)) == tag)
        #expect(hmac.isValid(hmac.tag(for: message), for: message))
        #expect(hmac.isValid(hmac.tag(for: message).prefix(16), for: message))
        #expect(!hmac.isValid(hmac.tag(for: message).prefix(15), for: message))
        #expect(!hmac.isValid(hmac.tag(for: message + [0]), for: message))
        #expect(!hmac.isValid([], for: message))
    }

    @Test func `prepares keys on many threads at once, each with SHA-256`() async {
        let (_, key, message, tag) = Self.hmacRows[0]
        let wrong = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    (0..<2_000).count { _ in Hex.encode(HMACSHA256.tag(for: message, key: key)) != tag }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test func `HKDF of RFC 5869`() {
        let secret = [UInt8](repeating: 0x0B, count: 22)
        let first = HKDFSHA256.derive(
            from: secret, salt: Array(0x00...0x0C), info: Array(0xF0...0xF9), byteCount: 42)
        #expect(
            Hex.encode(first) == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        let third = HKDFSHA256.derive(from: secret, byteCount: 42)
        #expect(
            Hex.encode(third) == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
    }

    @Test func `comparison and randomness`() {
        #expect(ConstantTime.isEqual([1, 2], [1, 2]) && ConstantTime.isEqual("", ""))
        #expect(!ConstantTime.isEqual([1, 2], [1, 3]) && !ConstantTime.isEqual("a", "ab"))
        #expect(SecureRandom.bytes(0).isEmpty && SecureRandom.bytes(16) != SecureRandom.bytes(16))
        var random = SecureRandom()
        #expect((0..<100).allSatisfy { _ in Int.random(in: 3..<7, using: &random) < 7 })
    }
}

@Suite struct `AES-128-GCM` {
    static let key = Hex.decode("feffe9928665731c6d6a8f9467308308") ?? []
    static let nonce = Hex.decode("cafebabefacedbaddecaf888") ?? []

    @Test func `test case 3 of the GCM submission`() throws {
        let plaintext = try #require(
            Hex.decode(
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
                    + "b16aedf5aa0de657ba637b391aafd255"))
        let sealed = try AES128GCM.seal(plaintext, key: Self.key, nonce: Self.nonce)
        #expect(
            Hex.encode(sealed)
                == "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05"
                + "1ba30b396a0aac973d58e091473f59854d5c2af327cd64a62cf35abd2ba6fab4")
        #expect(try AES128GCM.open(sealed, key: Self.key, nonce: Self.nonce) == plaintext)
    }

    @Test func `refuses changed text, a wrong key and wrong lengths`() throws {
        var sealed = try AES128GCM.seal([1, 2, 3], key: Self.key, nonce: Self.nonce)
        let otherKey = [UInt8](repeating: 0, count: 16)
        #expect(throws: CryptoError.authenticationFailed) {
            try AES128GCM.open(sealed, key: otherKey, nonce: Self.nonce)
        }
        sealed[0] ^= 1
        #expect(throws: CryptoError.authenticationFailed) {
            try AES128GCM.open(sealed, key: Self.key, nonce: Self.nonce)
        }
        #expect(throws: CryptoError.wrongLength) { try AES128GCM.open([1], key: Self.key, nonce: Self.nonce) }
        #expect(throws: CryptoError.wrongLength) { try AES128GCM.seal([1], key: [1], nonce: Self.nonce) }
        #expect(throws: CryptoError.wrongLength) { try AES128GCM.seal([1], key: Self.key, nonce: []) }
        let empty = try AES128GCM.seal([], key: Self.key, nonce: Self.nonce)
        #expect(try AES128GCM.open(empty, key: Self.key, nonce: Self.nonce).isEmpty)
    }
}

@Suite struct `Password hashes` {
    @Test func `match their password only`() throws {
        let hash = try PasswordHash(of: Secret("correct horse"))
        #expect(hash.matches(Secret("correct horse")))
        #expect(!hash.matches(Secret("correct horse ")))
        #expect(try PasswordHash(of: Secret("correct horse")) != hash)
        #expect(PasswordHash(text: hash.text) == hash)
    }

    @Test func `agree with RFC 7914`() throws {
        let salt = Base64URL.encode("SodiumChloride".utf8)
        let expected = try #require(
            Hex.decode(
                "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9"
                    + "e61e85dc0d651e40dfcf017b45575887"))
        let hash = try #require(PasswordHash(text: "$scrypt$ln=14,r=8,p=1$\(salt)$\(Base64URL.encode(expected))"))
        #expect(hash.matches(Secret("pleaseletmein")))
    }

    @Test(arguments: [
        "", "x", "$scrypt$", "$scrypt$ln=15,r=8,p=1$AA$AA", "$bcrypt$ln=15,r=8,p=1$AA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=40,r=8,p=1$AA$AAAAAAAAAAAAAAAAAAAAAA", "$scrypt$ln=15,r=9999,p=1$AA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$r=8,p=1$AA$AAAAAAAAAAAAAAAAAAAAAA", "$scrypt$ln=,r=8,p=1$AA$AAAAAAAAAAAAAAAAAAAAAA",
    ]) func `refuse other texts`(text: String) {
        #expect(PasswordHash(text: text) == nil)
    }
}
