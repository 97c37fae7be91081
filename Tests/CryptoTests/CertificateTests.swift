import Bytes
import Testing
import Timekeeping

@testable import Crypto

extension Timestamp {
    static let zero = Timestamp(rfc3339: "2025-01-01T00:00:00Z") ?? Timestamp(seconds: 0)
    static let later = Timestamp(rfc3339: "2055-06-30T23:59:59Z") ?? Timestamp(seconds: 1)
}

@Suite struct `Certificates` {
    static let validity = Timestamp.zero...Timestamp.later

    @Test func `an authority signs itself and servers`() throws {
        let authority = try CertificateAuthority.generate(name: "Pharos test", validity: Self.validity)
        #expect(authority.certificate.isSigned(by: authority.certificate))
        #expect(authority.certificate.subject.commonName == "Pharos test")
        let server = try authority.issueServer(
            names: ["localhost", "*.example.com", "127.0.0.1", "::1"], validity: Self.validity)
        let certificate = try #require(server.chain.first)
        #expect(certificate.isSigned(by: authority.certificate))
        #expect(certificate.dnsNames == ["localhost", "*.example.com"])
        #expect(certificate.addresses == [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]])
        #expect(certificate.notBefore == .zero && certificate.notAfter == .later)
        #expect(certificate.isValid(at: .zero) && !certificate.isValid(at: Timestamp.later.adding(seconds: 1)))
        #expect(!authority.certificate.isSigned(by: certificate))
        let other = try CertificateAuthority.generate(name: "Pharos test", validity: Self.validity)
        #expect(!certificate.isSigned(by: other.certificate))
    }

    @Test func `certificates and keys survive PEM`() throws {
        let authority = try CertificateAuthority.generate(name: "Pharos test", validity: Self.validity)
        let server = try authority.issueServer(names: ["a"], validity: Self.validity)
        let read = try CertifiedKey(
            certificatePEM: server.certificatePEM + authority.certificate.pem, keyPEM: server.keyPEM)
        #expect(read.chain == server.chain + [authority.certificate])
        #expect(throws: KeyError.mismatch) {
            try CertifiedKey(certificatePEM: authority.certificate.pem, keyPEM: server.keyPEM)
        }
        #expect(throws: KeyError.privateKeyInsteadOfCertificate) { try X509Certificate(pem: server.keyPEM) }
        #expect(throws: KeyError.mismatch) {
            try CertificateAuthority(certificate: authority.certificate, privateKey: .generate())
        }
        #expect(try X509Certificate(pem: authority.certificate.pem).fingerprint == authority.certificate.fingerprint)
    }

    @Test func `client certificates carry their push topics`() throws {
        let authority = try CertificateAuthority.generate(name: "Pharos test", validity: Self.validity)
        let topics = [
            ApplePushTopics.Topic(name: "com.example.pushdemo", kinds: ["app"]),
            ApplePushTopics.Topic(name: "com.example.pushdemo.voip", kinds: ["voip"]),
        ]
        let subject = DistinguishedName(commonName: "Apple Push Services", userID: "com.example.pushdemo")
        let listed = try authority.issueClient(
            subject: subject, validity: Self.validity, extensions: [ApplePushTopics(topics).certificateExtension])
        #expect(listed.chain.first?.applePushTopics == topics)
        #expect(listed.chain.first?.subject.userID == "com.example.pushdemo")
        let bare = try authority.issueClient(subject: subject, validity: Self.validity)
        #expect(bare.chain.first?.applePushTopics.map(\.name) == ["com.example.pushdemo"])
        let voIP = try authority.issueClient(
            subject: DistinguishedName(commonName: "VoIP"), validity: Self.validity,
            extensions: [.init(.appleVoIPTopics, value: DER.utf8String("com.example.pushdemo.voip"))])
        #expect(voIP.chain.first?.applePushTopics == [.init(name: "com.example.pushdemo.voip", kinds: ["voip"])])
    }

    @Test(arguments: [PKCS12Fixture.modern, PKCS12Fixture.old]) func `a p12 file opens`(fixture: String) throws {
        let file = try #require(Base64.decode(fixture))
        let key = try CertifiedKey(pkcs12: file, password: Secret("pharos"))
        #expect(key.chain.first?.applePushTopics.map(\.name) == ["com.example.pushdemo"])
        #expect(throws: KeyError.wrongPassword) { try CertifiedKey(pkcs12: file, password: Secret("other")) }
        #expect(throws: KeyError.self) {
            try CertifiedKey(pkcs12: Array(file.dropLast(100)), password: Secret("pharos"))
        }
        #expect(throws: KeyError.self) { try CertifiedKey(pkcs12: [], password: Secret("pharos")) }
    }

    @Test func `damage never traps`() throws {
        var random = SystemRandomNumberGenerator()
        let authority = try CertificateAuthority.generate(name: "Pharos test", validity: Self.validity)
        for _ in 0..<3000 {
            var der = authority.certificate.der
            for _ in 0..<2 {
                der[Int.random(in: der.indices, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            if Bool.random(using: &random) { der.removeLast(Int.random(in: 0..<der.count, using: &random)) }
            guard let certificate = try? X509Certificate(der: der) else { continue }
            _ = (certificate.dnsNames, certificate.addresses, certificate.applePushTopics)
            if der != authority.certificate.der { _ = certificate.isSigned(by: authority.certificate) }
        }
    }

    @Test(arguments: ["", "1", "1.", ".1", "3.1", "1.40", "1.2.x", "1.2.-3"])
    func `malformed identifiers are refused`(text: String) {
        #expect(ASN1Identifier(text) == nil)
    }
}
