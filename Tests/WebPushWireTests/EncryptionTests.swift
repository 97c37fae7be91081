import Bytes
import Crypto
import PropertyTesting
import Testing

@testable import WebPushWire

@Suite struct `Contents for browsers` {
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var plaintext: String
        var content: EncryptedPushContent
        var testDescription: String { name }
    }

    static let vectors = [
        Vector(
            name: "RFC 8291 §5", plaintext: "When I grow up, I want to be a watermelon",
            content: EncryptedPushContent(
                encoding: .aes128gcm,
                body: Vectors.bytes(
                    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                        + "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
                ))),
        Vector(
            name: "aes128gcm of another implementation", plaintext: #"{"data":{"k":"v"}}"#,
            content: EncryptedPushContent(
                encoding: .aes128gcm,
                body: Hex.decode(
                    "0c6bfaadad67958803092d454676f397000010004104fe33f4ab0dea71914db55823f73b54948f41306d920732dbb9a59a5328"
                        + "6482200e597a7b7bc260ba1c227998580992e93973002f3012a28ae8f06bbb78e5ec0fdedddf5416b3b82c5a9eb8ac43"
                        + "f8531de0788653080279090fa535dadcaf87579e455f") ?? [])),
        Vector(
            name: "aesgcm of another implementation", plaintext: #"{"data":{"k":"v"}}"#,
            content: EncryptedPushContent(
                encoding: .aesgcm,
                body: Hex.decode("e2ac226658b0ccf4b6e0f40dedff8ec9fa7b6460433a8496e4895edaf2a13b3315f3ddc4") ?? [],
                cryptoKey:
                    "dh=BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8=",
                encryption: "salt=DGv6ra1nlYgDCS1FRnbzlw==")),
    ]

    @Test(arguments: vectors) func `are encrypted to the byte as others do`(vector: Vector) throws {
        let receiver = try Vectors.receiver().subscription
        let sealed = try Vectors.sealer().seal(
            Array(vector.plaintext.utf8), for: receiver, as: vector.content.encoding)
        #expect(sealed == vector.content)
        #expect(Base64URL.encode(receiver.publicPoint) == Vectors.receiverPublic)
    }

    @Test(arguments: vectors) func `are decrypted`(vector: Vector) throws {
        #expect(try Vectors.receiver().open(vector.content) == Array(vector.plaintext.utf8))
    }

    @Test func `have the keys that other implementations compute`() throws {
        let receiver = try Vectors.receiver()
        let sender = Vectors.bytes(Vectors.senderPublic)
        let agreed = try receiver.privateKey.sharedSecret(with: P256PublicKey(x963: sender))
        #expect(Hex.encode(agreed) == "932acbd63208387133837b0cd995911c3441eb66000998614a592727aef6912b")
        let rows: [(WebPushEncoding, key: String, nonce: String)] = [
            (.aesgcm, "eeb93084ed9b61e7962533297cd90cb5", "a7c51e8951ba111185f60e33"),
            (.aes128gcm, "a088555b4e0c45dcb65cdf4288a2f14e", "e21ffde6495727913faa7a0d"),
        ]
        for row in rows {
            let keys = ContentKeys(
                row.0, agreed: agreed, receiver: receiver.subscription, sender: sender,
                salt: Vectors.bytes(Vectors.salt))
            #expect(Hex.encode(keys.key) == row.key)
            #expect(Hex.encode(keys.nonce) == row.nonce)
        }
    }

    @Test(arguments: WebPushEncoding.allCases)
    func `come back whole at every length, with and without padding`(encoding: WebPushEncoding) throws {
        var random = SeededGenerator(seed: 8291)
        let receiver = try WebPushReceiver.generate()
        let limit = WebPushSealer.maximumPlaintextBytes
        for length in [0, 1, 2, 15, 16, 17, 255, 256, limit - 1, limit] {
            // A content that ends in zeros and delimiters must not be mistaken for padding.
            let plaintext = random.bytes(length).enumerated().map {
                $0.offset % 5 == 4 ? [0, 1, 2][$0.offset % 3] : $0.element
            }
            for padding in [0, 1, 100] where length + padding <= limit {
                let sealed = try WebPushSealer().seal(
                    plaintext, for: receiver.subscription, as: encoding, paddingBytes: padding)
                #expect(sealed.body.count <= 4_096)
                #expect(try receiver.open(sealed) == plaintext)
            }
        }
    }

    @Test(arguments: WebPushEncoding.allCases)
    func `longer than a push service takes are refused`(encoding: WebPushEncoding) throws {
        let receiver = try WebPushReceiver.generate().subscription
        for (length, padding) in [(3_993, 0), (3_992, 1), (0, 3_993), (1, .max), (100_000, 0)] {
            let content = [UInt8](repeating: 0, count: length)
            #expect(throws: WebPushError.self, "\(length) and \(padding) bytes") {
                _ = try WebPushSealer().seal(content, for: receiver, as: encoding, paddingBytes: padding)
            }
        }
    }

    @Test func `have a new key and a new salt each time`() throws {
        let receiver = try WebPushReceiver.generate().subscription
        let contents = try (0..<20).map { _ in try WebPushSealer().seal([1], for: receiver, as: .aes128gcm).body }
        #expect(Set(contents.map { $0.prefix(16) }).count == 20)
        #expect(Set(contents.map { $0[21..<86] }).count == 20)
    }

    @Test(arguments: WebPushEncoding.allCases)
    func `are closed to everybody else, and to the receiver when changed`(encoding: WebPushEncoding) throws {
        let receiver = try WebPushReceiver.generate()
        let sealed = try WebPushSealer().seal(Array("secret".utf8), for: receiver.subscription, as: encoding)
        #expect(throws: WebPushError.notAuthentic) { try WebPushReceiver.generate().open(sealed) }
        let otherAuth = try WebPushReceiver(privateKey: receiver.privateKey, auth: SecureRandom.bytes(16))
        #expect(throws: WebPushError.notAuthentic) { try otherAuth.open(sealed) }
        // Of the record size, 16 to 19, a receiver asks only that the record fits.
        for place in sealed.body.indices where encoding == .aesgcm || !(16..<20).contains(place) {
            var changed = sealed
            changed.body[place] ^= 0x40
            #expect(throws: WebPushError.self) { _ = try receiver.open(changed) }
        }
    }

    @Test func `survive any damage without a trap`() throws {
        var random = SeededGenerator(seed: 4096)
        let receiver = try Vectors.receiver()
        for round in 0..<2_000 {
            let vector = Self.vectors[round % 3]
            var content = vector.content
            if round % 2 == 0 { content.body = random.mutate(content.body) }
            content.cryptoKey = content.cryptoKey.map { text in
                String(decoding: random.mutate(Array(text.utf8), alphabet: Array("=;,dh\"".utf8)), as: UTF8.self)
            }
            content.encryption = content.encryption.map { text in
                String(decoding: random.mutate(Array(text.utf8), alphabet: Array("=;,rs0\"".utf8)), as: UTF8.self)
            }
            if let plaintext = try? receiver.open(content) { #expect(plaintext == Array(vector.plaintext.utf8)) }
        }
    }
}

@Suite struct `Contents that are no contents` {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout EncryptedPushContent) -> Void
        var error: WebPushError

        init(_ name: String, _ error: WebPushError, _ change: @escaping @Sendable (inout EncryptedPushContent) -> Void)
        {
            testDescription = name
            self.change = change
            self.error = error
        }
    }

    static let standardRows = [
        Row("nothing", .malformedBody) { $0.body = [] },
        Row("a header cut short", .malformedBody) { $0.body = Array($0.body.prefix(85)) },
        Row("only a header", .malformedBody) { $0.body = Array($0.body.prefix(86)) },
        Row("only a tag", .malformedBody) { $0.body = Array($0.body.prefix(102)) },
        Row("a key id of another length", .malformedBody) { $0.body[20] = 64 },
        Row("a record size of 17", .malformedBody) { $0.body.replaceSubrange(16..<20, with: [0, 0, 0, 17]) },
        Row("more than one record", .malformedBody) { $0.body.replaceSubrange(16..<20, with: [0, 0, 0, 18]) },
        Row("a key that is not on the curve", .malformedBody) { $0.body[30] ^= 1 },
        Row("a compressed key", .malformedBody) { $0.body[21] = 2 },
    ]

    @Test(arguments: standardRows) func `are refused as aes128gcm`(row: Row) throws {
        try expectRefusal(of: row, vector: 0)
    }

    static let draftRows = [
        Row("no Crypto-Key", .malformedHeader) { $0.cryptoKey = nil },
        Row("a Crypto-Key without dh", .malformedHeader) { $0.cryptoKey = "p256ecdsa=AAAA" },
        Row("two values of dh", .malformedHeader) { $0.cryptoKey = ($0.cryptoKey ?? "") + ";dh=AAAA" },
        Row("a dh of 64 bytes", .malformedHeader) {
            $0.cryptoKey = "dh=" + Base64URL.encode([UInt8](repeating: 4, count: 64))
        },
        Row("a dh that is not on the curve", .malformedBody) {
            $0.cryptoKey = "dh=" + Base64URL.encode([UInt8](repeating: 4, count: 65))
        },
        Row("no Encryption", .malformedHeader) { $0.encryption = nil },
        Row("a short salt", .malformedHeader) { $0.encryption = "salt=AAAA" },
        Row("a salt in another alphabet", .malformedHeader) { $0.encryption = "salt=*" },
        Row("a record size that is no number", .malformedHeader) { $0.encryption = ($0.encryption ?? "") + ";rs=x" },
        Row("more than one record", .malformedBody) { $0.encryption = ($0.encryption ?? "") + ";rs=19" },
        Row("nothing", .malformedBody) { $0.body = [] },
        Row("only a tag", .malformedBody) { $0.body = Array($0.body.prefix(16)) },
        Row("a tag cut short", .notAuthentic) { $0.body.removeLast() },
    ]

    @Test(arguments: draftRows) func `are refused as aesgcm`(row: Row) throws {
        try expectRefusal(of: row, vector: 2)
    }

    private func expectRefusal(of row: Row, vector: Int) throws {
        var content = `Contents for browsers`.vectors[vector].content
        row.change(&content)
        #expect(throws: row.error) { try Vectors.receiver().open(content) }
    }

    @Test func `are refused when authentic records have padding of another form`() throws {
        let receiver = try Vectors.receiver()
        let sender = try P256PrivateKey(scalar: Vectors.bytes(Vectors.senderPrivate))
        let salt = Vectors.bytes(Vectors.salt)
        let agreed = try sender.sharedSecret(with: receiver.subscription.publicKey)
        func sealed(_ record: [UInt8], _ encoding: WebPushEncoding) throws -> EncryptedPushContent {
            let keys = ContentKeys(
                encoding, agreed: agreed, receiver: receiver.subscription, sender: sender.publicKey.x963, salt: salt)
            var content = `Contents for browsers`.vectors[encoding == .aesgcm ? 2 : 0].content
            let header = encoding == .aesgcm ? [] : Array(content.body.prefix(ContentHeader.byteCount))
            content.body = header + (try AES128GCM.seal(record, key: keys.key, nonce: keys.nonce))
            return content
        }
        for record: [UInt8] in [[0], [65, 1], [65, 0, 0], [65, 3]] {
            #expect(throws: WebPushError.malformedBody) { try receiver.open(sealed(record, .aes128gcm)) }
        }
        for record: [UInt8] in [[0], [0, 1], [0, 1, 7], [255, 255, 0]] {
            #expect(throws: WebPushError.malformedBody) { try receiver.open(sealed(record, .aesgcm)) }
        }
        #expect(try receiver.open(sealed([65, 2, 0, 0], .aes128gcm)) == [65])
        #expect(try receiver.open(sealed([0, 2, 0, 0, 65], .aesgcm)) == [65])
    }

    @Test func `and subscriptions with other members than a point and 16 bytes are refused`() {
        let point = Vectors.receiverPublic
        let rows = [
            ("", Vectors.auth), (point, ""), (point, "BTBZMqHH6r4Tts7J_aSI"), (point, Vectors.auth + "AA"),
            (String(point.dropLast(2)), Vectors.auth), ("A" + point.dropFirst(), Vectors.auth),
            (String(point.dropLast()) + "8", Vectors.auth), (point + "!", Vectors.auth), (point, "*"),
            (Base64URL.encode([UInt8](repeating: 0, count: 65)), Vectors.auth),
        ]
        for row in rows {
            #expect(throws: WebPushError.malformedSubscription) {
                try WebPushSubscription(p256dh: row.0, auth: row.1)
            }
        }
        #expect(throws: Never.self) { try WebPushSubscription(p256dh: point + "=", auth: Vectors.auth + "==") }
    }
}
