import Bytes
import PropertyTesting
import Testing

@Suite struct `Base64url` {
    static let vectors = [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: vectors) func `agrees with RFC 4648 §10`(text: String, encoded: String) {
        #expect(Base64URL.encode(text.utf8) == encoded)
        #expect(Base64URL.decode(encoded) == Array(text.utf8))
    }

    @Test func `reads both alphabets and padding`() {
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64URL.decode("-_8=") == [0xFB, 0xFF])
        #expect(Base64URL.decode("+/8") == [0xFB, 0xFF])
        #expect(Base64URL.decode("Zg==") == [0x66])
    }

    @Test(arguments: ["Z", "Zg=a", "Zm9v=====", "Z g", "Zg\n", "Zh", "Zm9", "é", "Zm9vZ", "*", "=A"])
    func `refuses other characters, stray bits and stray padding`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `gives back any bytes`() {
        var generator = SeededGenerator(seed: 8)
        for count in 0..<300 {
            let bytes = generator.bytes(count)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }

    @Test func `survives any text`() {
        var generator = SeededGenerator(seed: 9)
        for count in 0..<2_000 {
            let text = String(decoding: generator.bytes(count % 40), as: UTF8.self)
            if let bytes = Base64URL.decode(text) { #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes) }
        }
    }
}
