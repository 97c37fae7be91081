import Bytes
import PropertyTesting
import Testing

@Suite struct `Standard base64` {
    static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("\u{FF}>?", "w78+Pw=="),
    ]

    @Test(arguments: vectors) func `agrees with RFC 4648 §10`(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
    }

    @Test(arguments: ["A", "AA=A", "A===", "AA===", "=", "AAAA=", "AB", "AAB", "AA A", "A!", "ÀA"])
    func `refuses what is malformed`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func `gives back any bytes`() {
        var generator = SeededGenerator(seed: 10)
        for count in 0..<300 {
            let bytes = generator.bytes(count)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }
}

@Suite struct `A secret` {
    @Test func `does not print`() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(["key": secret], to: &dumped)
        #expect(!dumped.contains("hunter2") && "\(secret)" == "«redacted»" && secret.reveal() == "hunter2")
    }
}
