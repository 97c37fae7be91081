import HTTPSemantics
import MultipartWire
import PropertyTesting
import Testing

@Suite struct `Multipart bodies` {
    private func parse(_ text: String, _ change: (inout MultipartLimits) -> Void = { _ in }) throws -> [MultipartPart] {
        var limits = MultipartLimits()
        change(&limits)
        return try MultipartMixed.parse(Array(text.utf8), boundary: #require(MultipartBoundary("b")), limits: limits)
    }

    private func part(_ fields: [(String, String)], _ body: String) -> MultipartPart {
        MultipartPart(fields: HTTPFields(fields), body: Array(body.utf8))
    }

    @Test func `takes parts apart, RFC 2046 §5.1.1`() throws {
        let text = "preamble\r\n--b\r\nA: 1\r\n\r\none\r\n\r\n--b \t\r\n\r\ntwo\r\n--b--\r\nepilogue"
        #expect(try parse(text) == [part([("a", "1")], "one\r\n"), part([], "two")])
    }

    @Test func `takes bare line feeds`() throws {
        #expect(try parse("--b\nA: 1\n\none\n--b\n\n\n--b--") == [part([("a", "1")], "one"), part([], "")])
    }

    @Test func `is not fooled by lines that resemble a delimiter`() throws {
        let text = "--b\r\n\r\n--bc\r\n --b\r\n--b-\r\nx--b\r\n--b--"
        #expect(try parse(text) == [part([], "--bc\r\n --b\r\n--b-\r\nx--b")])
    }

    static let bad: [(name: String, text: String, error: MultipartError)] = [
        ("empty", "", .unterminated),
        ("no delimiter", "A: 1\r\n\r\nx", .unterminated),
        ("not closed", "--b\r\n\r\nx\r\n", .unterminated),
        ("closed with another boundary", "--b\r\n\r\nx\r\n--c--", .unterminated),
        ("closing delimiter inside a line", "--b\r\n\r\nx--b--", .unterminated),
        ("no empty line after the fields", "--b\r\nA: 1\r\n--b--", .badPartFields(part: 0)),
        ("no part", "--b\r\n--b--", .badPartFields(part: 0)),
        ("bad field", "--b\r\nA 1\r\n\r\nx\r\n--b--", .badPartFields(part: 0)),
        ("second part is bad", "--b\r\n\r\nx\r\n--b\r\n A: 1\r\n\r\n--b--", .badPartFields(part: 1)),
        ("third part", "--b\r\n\r\n1\r\n--b\r\n\r\n2\r\n--b\r\n\r\n3\r\n--b--", .tooManyParts(maximum: 2)),
        (
            "large part", "--b\r\n\r\n" + String(repeating: "x", count: 99) + "\r\n--b--",
            .partTooLarge(maximumBytes: 100)
        ),
    ]

    @Test(arguments: bad.indices) func `refuses a bad body`(row: Int) {
        #expect(throws: Self.bad[row].error, "\(Self.bad[row].name)") {
            try parse(Self.bad[row].text) {
                $0.parts = 2
                $0.partBytes = 100
            }
        }
    }

    @Test(
        arguments: [
            ("multipart/mixed; boundary=__END_OF_PART__", "__END_OF_PART__"),
            ("Multipart/Mixed; charset=x; Boundary=\"a b?\"", "a b?"),
            ("multipart/mixed;boundary====1==", "===1=="),
        ])
    func `finds the boundary`(type: String, boundary: String) throws {
        #expect(try MultipartBoundary(contentType: type).text == boundary)
    }

    @Test(
        arguments: [
            "", "multipart/mixed", "multipart/related; boundary=a", "multipart/mixed; boundary=",
            "multipart/mixed; boundary=\"\"", "multipart/mixed; boundary=a\u{E9}", "multipart/mixed; boundary=a;b=\r\n",
            "multipart/mixed; boundary=\"a \"", "multipart/mixed; boundary=" + String(repeating: "a", count: 71),
            "application/json; boundary=a", "multipart/mixed; xboundary=a", "multipart/mixed; boundary=a@b",
        ].filter { !$0.contains("b=\r\n") })
    func `refuses a content type without usable boundary`(type: String) {
        #expect(throws: MultipartError.badContentType) { try MultipartBoundary(contentType: type) }
    }

    @Test func `reads what it wrote`() throws {
        var generator = SeededGenerator(seed: 6)
        let boundary = try #require(MultipartBoundary("batch_0123456789"))
        for _ in 0..<300 {
            let parts = (0..<Int.random(in: 1...5, using: &generator)).map { index in
                MultipartPart(
                    fields: HTTPFields([("content-id", "\(index)")]),
                    body: generator.bytes(Int.random(in: 0...50, using: &generator)))
            }
            let bytes = MultipartMixed.serialize(parts, boundary: boundary)
            #expect(try MultipartMixed.parse(bytes, boundary: boundary) == parts)
        }
    }

    @Test func `survives any damage`() throws {
        var generator = SeededGenerator(seed: 7)
        let original = Array("--b\r\nA: 1\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\n".utf8)
        let boundary = try #require(MultipartBoundary("b"))
        for _ in 0..<20_000 {
            let bytes = generator.mutate(original, alphabet: Array("\r\n-b:".utf8))
            _ = try? MultipartMixed.parse(bytes, boundary: boundary)
        }
    }
}
