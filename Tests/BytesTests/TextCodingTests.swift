import Bytes
import Testing

@Suite struct `Text codings` {
    static let base64: [(plain: String, padded: String, url: String)] = [
        ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
        ("foob", "Zm9vYg==", "Zm9vYg"), ("fooba", "Zm9vYmE=", "Zm9vYmE"), ("foobar", "Zm9vYmFy", "Zm9vYmFy"),
        ("\u{FF}>?", "w78+Pw==", "w78-Pw"),
    ]

    @Test(arguments: base64.indices) func `base64 of RFC 4648`(row: Int) {
        let (plain, padded, url) = Self.base64[row]
        let bytes = Array(plain.utf8)
        #expect(Base64.encode(bytes) == padded && Base64URL.encode(bytes) == url)
        #expect(Base64.decode(padded) == bytes && Base64URL.decode(url) == bytes)
        #expect(Base64URL.decode(padded) == bytes && Base64.decode(url) == bytes)
        #expect(Base64URL.encode(bytes[...].lazy.map { $0 }) == url)
    }

    @Test(arguments: [
        "A", "AAAAA", "AA=A", "A===", "AA===", "=", "=AAA", "AB", "AAB", "AA A", "AA\n", "A!", "AA.", "ÀA", "AA\u{0}A",
    ]) func `malformed base64 is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `hexadecimal`() {
        #expect(Hex.encode([0, 0x0F, 0xA5, 0xFF]) == "000fa5ff")
        #expect(Hex.decode("000FA5ff") == [0, 0x0F, 0xA5, 0xFF] && Hex.decode("") == [])
        for bad in ["0", "0g", "0x00", " 00", "é"] { #expect(Hex.decode(bad) == nil) }
    }

    @Test func `any bytes survive`() {
        var random = SystemRandomNumberGenerator()
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        }
    }

    @Test func `a secret does not print`() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(["key": secret], to: &dumped)
        #expect(!dumped.contains("hunter2") && "\(secret)" == "«redacted»" && secret.reveal() == "hunter2")
    }
}
