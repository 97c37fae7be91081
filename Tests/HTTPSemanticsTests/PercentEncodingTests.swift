import HTTPSemantics
import Testing

@Suite struct `Percent-encoding` {
    @Test(arguments: [("a%20b", "a b"), ("%C3%a9", "é"), ("a+b", "a+b"), ("", ""), ("%25", "%"), ("é", "é")])
    func `is undone once`(text: String, decoded: String) {
        #expect(PercentEncoding.decode(text) == decoded)
    }

    @Test(arguments: ["%", "%2", "%2g", "%zz", "a%", "%FF", "%C3", "% 20", "%+1"])
    func `is refused when malformed or no UTF-8`(text: String) {
        #expect(PercentEncoding.decode(text) == nil)
    }

    @Test func `comes back whole`() {
        let text = "a b/ü?&=%+~-._\u{0}"
        #expect(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
        #expect(PercentEncoding.encode("/é") == "%2F%C3%A9")
    }

    @Test func `forms give pairs in order`() {
        let pairs = PercentEncoding.formPairs("a=1+2&b&c=%3D=&&=d&a=3")
        #expect(pairs.map(\.name) == ["a", "b", "c", "", "a"])
        #expect(pairs.map(\.value) == ["1 2", "", "==", "d", "3"])
    }

    @Test(arguments: [
        ("%", "%"), ("100%+sure", "100% sure"), ("a%2", "a%2"), ("%zz%41", "%zzA"), ("%E9", "\u{FFFD}"),
        ("a%FF+b", "a\u{FFFD} b"), ("%%41", "%A"), ("%C3%A9%", "é%"),
    ])
    func `forms keep what is badly encoded`(text: String, decoded: String) {
        let pairs = PercentEncoding.formPairs("a=1&data.b=\(text)")
        #expect(pairs.map(\.value) == ["1", decoded])
    }
}
