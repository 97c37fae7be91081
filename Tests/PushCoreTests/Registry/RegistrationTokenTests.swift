import PushCore
import PushModel
import Testing

@Suite struct `Registration token` {
    let codec = RegistrationTokenCodec(sealing: TestSealing.make())
    let content = RegistrationTokenContent(
        fid: "cSNFZ4mrze8BI0VniavN7w", registration: RegistrationID(value: 42),
        project: ProjectNumber(value: 123_456_789_012), nonce: .max)

    @Test func `begins with the installation id and reads back`() {
        let token = codec.encode(content)
        #expect(token.hasPrefix("cSNFZ4mrze8BI0VniavN7w:APA91b"))
        #expect((150...170).contains(token.utf8.count))
        #expect(!token.contains("="))
        #expect(codec.decode(token) == content)
    }

    @Test func `stays the same for the same registration`() {
        #expect(codec.encode(content) == codec.encode(content))
    }

    @Test func `works without an installation id`() {
        var anonymous = content
        anonymous.fid = ""
        let token = codec.encode(anonymous)
        #expect(token.hasPrefix("APA91b"))
        #expect(codec.decode(token) == anonymous)
    }

    @Test func `is refused when any character of it changes`() {
        let token = Array(codec.encode(content).utf8)
        for index in token.indices {
            var forged = token
            forged[index] = forged[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            guard forged != token else { continue }
            let text = String(decoding: forged, as: UTF8.self)
            #expect(codec.decode(text) == nil, "changed character \(index)")
        }
    }

    @Test(arguments: [
        "", ":", "APA91b", "bogus", "cSNFZ4mrze8BI0VniavN7w", "cSNFZ4mrze8BI0VniavN7w:", "a:b:c",
        "cSNFZ4mrze8BI0VniavN7w:APA91bAAAA", "cSNFZ4mrze8BI0VniavN7w:APA91b" + String(repeating: "A", count: 132),
        String(repeating: "x", count: 5000), "eyJhbGciOiJIUzI1NiJ9.eyJmaWQiOiJ4In0.AAAA", "é:APA91bé",
    ]) func `is refused when the service never gave it out`(text: String) {
        #expect(codec.decode(text) == nil)
    }

    @Test func `is refused under another secret`() {
        let other = RegistrationTokenCodec(sealing: TestSealing.make().derived(for: "another server"))
        #expect(other.decode(codec.encode(content)) == nil)
    }

    @Test func `never traps on a cut or extended token`() {
        let token = codec.encode(content)
        for count in 0..<token.count { #expect(codec.decode(token.prefix(count)) == nil) }
        #expect(codec.decode(token + "A") == nil)
        #expect(codec.decode(token + "=") == nil || codec.decode(token + "=") == content)
    }
}
