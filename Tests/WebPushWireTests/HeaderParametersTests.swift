import PropertyTesting
import Testing

@testable import WebPushWire

@Suite struct `Parameters of header fields` {
    @Test func `are read by name`() throws {
        let rows: [(String, [(String, String)])] = [
            ("dh=AAAA", [("dh", "AAAA")]), ("DH=AA==", [("dh", "AA==")]),
            ("a=1;b=2,c=3", [("a", "1"), ("b", "2"), ("c", "3")]),
            (" a=1", [("a", "1")]), ("a=1 ; b=2\t, c=3 ", [("a", "1"), ("b", "2"), ("c", "3")]),
            ("a=\"1\"", [("a", "1")]),
            ("p256ecdsa=-_~./+", [("p256ecdsa", "-_~./+")]),
        ]
        for (text, pairs) in rows {
            let read = try #require(HeaderParameters(text), "\(text)")
            #expect(read.pairs.elementsEqual(pairs, by: ==))
        }
    }

    @Test(arguments: [
        "", " ", "=", "a", "a=", "=a", "a=\"\"", "a=\"1", "a=1\"", "a=1;", ";a=1", "a=1;;b=2", "a=1 b=2", "a=1;a=2",
        "a=1,A=1",
        "a =1", "a= 1", "a=1\r\nb=2", "a=1\u{0}", "ä=1", "a=ä", "a=1;b", "a=(1)", "a:1", "a=\"1\"2",
        "a=" + String(repeating: "b", count: 8_192),
    ]) func `of any other form are refused`(text: String) {
        #expect(HeaderParameters(text) == nil)
    }

    @Test func `survive any damage without a trap`() {
        var random = SeededGenerator(seed: 7235)
        for _ in 0..<20_000 {
            let text = random.mutate(Array("dh=AAAA=;salt=\"BBBB\", rs=4096".utf8), alphabet: Array("=;,\" \t".utf8))
            guard let read = HeaderParameters(String(decoding: text, as: UTF8.self)) else { continue }
            #expect(!read.pairs.isEmpty && read.pairs.allSatisfy { !$0.name.isEmpty && !$0.value.isEmpty })
        }
    }
}
