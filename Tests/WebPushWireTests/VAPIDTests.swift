import Bytes
import Crypto
import JSON
import PropertyTesting
import Testing
import Timekeeping

@testable import WebPushWire

@Suite struct `Signatures of application servers` {
    static let now = Timestamp(seconds: 1_700_000_000)
    static let origin = "https://push.example.com"

    private func isOwn(_ origin: String) -> Bool { origin == Self.origin }

    private func key() throws -> P256PrivateKey { try P256PrivateKey(scalar: Vectors.bytes(Vectors.senderPrivate)) }

    /// A token with other claims than the signer would write.
    private func token(_ claims: JSONObject) throws -> String {
        try JWT.encode(claims, with: .es256(key()))
    }

    private static func claims(aud: JSONValue? = .string(origin), exp: JSONValue? = .integer(now.seconds + 600))
        -> JSONObject
    {
        var claims = JSONObject()
        if let aud { claims["aud"] = aud }
        if let exp { claims["exp"] = exp }
        return claims
    }

    @Test func `are taken by those who verify them`() throws {
        let signer = VAPIDSigner(key: try key(), subject: "mailto:ops@example.com")
        let value = try signer.authorization(for: Self.origin, now: Self.now)
        let shown = try VAPIDCredentials(authorization: value, cryptoKey: nil)
        try shown.verify(now: Self.now, isOwnOrigin: isOwn)
        #expect(Base64URL.encode(shown.publicPoint) == Vectors.senderPublic)
        #expect(signer.publicKey == Vectors.senderPublic)
        #expect(shown.claims["sub"] == "mailto:ops@example.com")
        #expect(shown.claims["exp"] == .integer(Self.now.seconds + 43_200))
        #expect(value.hasPrefix("vapid t=") && value.hasSuffix(", k=\(Vectors.senderPublic)"))
    }

    @Test func `never live longer than 24 hours`() throws {
        let signer = VAPIDSigner(key: try key(), subject: nil)
        for seconds: Int64 in [86_400, 86_401, .max] {
            let value = try signer.authorization(for: Self.origin, now: Self.now, lifetimeSeconds: seconds)
            let shown = try VAPIDCredentials(authorization: value, cryptoKey: nil)
            #expect(shown.claims["exp"] == .integer(Self.now.seconds + 86_400))
            #expect(shown.claims["sub"] == nil)
        }
    }

    @Test func `are read in each of the forms that libraries write`() throws {
        let token = try token(Self.claims())
        let key = Vectors.senderPublic
        let rows: [(authorization: String, cryptoKey: String?)] = [
            ("vapid t=\(token), k=\(key)", nil), ("vapid t=\(token),k=\(key)", nil),
            ("vapid k=\(key), t=\(token)", nil),
            ("Vapid T=\(token), K=\(key)", nil), ("vapid t=\"\(token)\", k=\"\(key)\"", nil),
            ("vapid t=\(token), k=\(key), v=2", nil), ("vapid t=\(token) , k=\(key)=", nil),
            ("WebPush \(token)", "p256ecdsa=\(key)"), ("WebPush \(token)", "dh=AAAA;p256ecdsa=\(key)"),
            ("webpush \(token)", "p256ecdsa=\(key);dh=AAAA="), ("WebPush \(token)", "dh=AAAA,p256ecdsa=\(key)"),
            ("WebPush \(token)", "keyid=p256dh;dh=AAAA, p256ecdsa=\"\(key)\""),
        ]
        for row in rows {
            let shown = try VAPIDCredentials(authorization: row.authorization, cryptoKey: row.cryptoKey)
            #expect(Base64URL.encode(shown.publicPoint) == key)
            #expect(throws: Never.self) { try shown.verify(now: Self.now, isOwnOrigin: isOwn) }
        }
    }

    @Test func `of another form are refused`() throws {
        let token = try token(Self.claims())
        let key = Vectors.senderPublic
        let symmetric = try JWT.encode(Self.claims(), with: .hs256(Secret(Vectors.bytes(key))))
        let none = Base64URL.encode(#"{"alg":"none"}"#.utf8) + "." + Base64URL.encode("{}".utf8) + "."
        let rows: [(authorization: String?, cryptoKey: String?, error: VAPIDError)] = [
            (nil, nil, .missing), ("", nil, .missing),
            ("vapid", nil, .malformed), ("vapid ", nil, .malformed), ("Bearer \(token)", nil, .malformed),
            ("vapidt=\(token), k=\(key)", nil, .malformed), ("vapid \(token)", nil, .malformed),
            ("vapid t=\(token); k=\(key)", nil, .malformed), ("vapid t=\(token) k=\(key)", nil, .malformed),
            ("vapid k=\(key)", nil, .malformed), ("vapid t=, k=\(key)", nil, .malformed),
            ("vapid t=\(token), t=\(token), k=\(key)", nil, .malformed),
            ("vapid t=\(token), k=\(key),", nil, .malformed),
            ("vapid t=\"\(token), k=\(key)", nil, .malformed), ("vapid t=\(token), k=\(key)\u{e9}", nil, .malformed),
            ("vapid t=\(token)", nil, .badKey), ("vapid t=\(token), k=AAAA", nil, .badKey),
            ("vapid t=\(token), k=\(key.dropLast())4", nil, .badKey),
            ("vapid t=\(token), k=A\(key.dropFirst())", nil, .badKey),
            ("vapid t=abc, k=\(key)", nil, .badToken), ("vapid t=a.b.c, k=\(key)", nil, .badToken),
            ("vapid t=\(symmetric), k=\(key)", nil, .badToken), ("vapid t=\(none), k=\(key)", nil, .badToken),
            ("WebPush \(token)", nil, .malformed), ("WebPush \(token)", "dh=AAAA", .badKey),
            ("WebPush \(token)", "p256ecdsa=AAAA", .badKey), ("WebPush", "p256ecdsa=\(key)", .badToken),
            ("WebPush \(token) x", "p256ecdsa=\(key)", .badToken),
            ("WebPush \(token)", "p256ecdsa=\(key);p256ecdsa=\(key)", .malformed),
        ]
        for row in rows {
            #expect(throws: row.error, "\(row.authorization ?? "nothing")") {
                try VAPIDCredentials(authorization: row.authorization, cryptoKey: row.cryptoKey)
            }
        }
    }

    @Test func `that prove too little are refused`() throws {
        let now = Self.now.seconds
        let rows: [(claims: JSONObject, error: VAPIDError?)] = [
            (Self.claims(), nil),
            (Self.claims(exp: .integer(now + 86_400)), nil),
            (Self.claims(exp: .integer(now + 86_700)), nil),
            (Self.claims(exp: .integer(now - 299)), nil),
            (Self.claims(aud: .array([.string("https://a.example"), .string(Self.origin)])), nil),
            (Self.claims(exp: .integer(now - 300)), .expired),
            (Self.claims(exp: .integer(0)), .expired),
            (Self.claims(exp: .integer(Int64.min)), .expired),
            (Self.claims(exp: .integer(now + 86_701)), .livesTooLong),
            (Self.claims(exp: .integer(Int64.max)), .livesTooLong),
            (Self.claims(exp: .integer(UInt64.max)), .livesTooLong),
            (Self.claims(exp: nil), .livesTooLong),
            (Self.claims(exp: .string("1700000600")), .livesTooLong),
            (Self.claims(aud: nil), .wrongAudience),
            (Self.claims(aud: .integer(1)), .wrongAudience),
            (Self.claims(aud: .array([])), .wrongAudience),
            (Self.claims(aud: .string("https://updates.push.services.mozilla.com")), .wrongAudience),
        ]
        for row in rows {
            let shown = try VAPIDCredentials(
                authorization: "vapid t=\(token(row.claims)), k=\(Vectors.senderPublic)", cryptoKey: nil)
            if let error = row.error {
                #expect(throws: error, "\(row.claims)") { try shown.verify(now: Self.now, isOwnOrigin: isOwn) }
            } else {
                #expect(throws: Never.self, "\(row.claims)") { try shown.verify(now: Self.now, isOwnOrigin: isOwn) }
            }
        }
    }

    @Test func `of another key, and signatures in DER, are refused`() throws {
        let token = try token(Self.claims())
        let other = Vectors.receiverPublic
        let input = token.split(separator: ".").prefix(2).joined(separator: ".")
        let der = input + "." + Base64URL.encode(try key().signDER(Array(input.utf8)))
        let rows = [
            "vapid t=\(token), k=\(other)", "vapid t=\(der), k=\(Vectors.senderPublic)",
            "vapid t=\(input).AAAA, k=\(Vectors.senderPublic)",
        ]
        for row in rows {
            let shown = try VAPIDCredentials(authorization: row, cryptoKey: nil)
            #expect(throws: VAPIDError.badSignature) { try shown.verify(now: Self.now, isOwnOrigin: isOwn) }
        }
    }

    @Test func `survive any damage without a trap, and never prove more`() throws {
        var random = SeededGenerator(seed: 8292)
        let good = Array("vapid t=\(try token(Self.claims())), k=\(Vectors.senderPublic)".utf8)
        for _ in 0..<3_000 {
            let text = String(decoding: random.mutate(good, alphabet: Array("=,;. \"tk".utf8)), as: UTF8.self)
            guard let shown = try? VAPIDCredentials(authorization: text, cryptoKey: nil),
                (try? shown.verify(now: Self.now, isOwnOrigin: isOwn)) != nil
            else { continue }
            #expect(Base64URL.encode(shown.publicPoint) == Vectors.senderPublic)
            #expect(shown.claims == Self.claims())
        }
    }
}
