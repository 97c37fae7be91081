import HTTPSemantics
import Testing

@Suite struct `HTTP fields` {
    @Test func `keep order and repetition`() {
        var fields = HTTPFields([("a", "1"), ("b", "2"), ("a", "3")])
        #expect(fields["a"] == "1")
        #expect(fields.values(of: "a") == ["1", "3"])
        #expect(fields["c"] == nil)
        fields["a"] = "4"
        #expect(fields == HTTPFields([("b", "2"), ("a", "4")]))
        fields["b"] = nil
        #expect(fields == HTTPFields([("a", "4")]))
    }

    @Test func `take lists apart, RFC 9110 §5.6.1`() {
        let fields = HTTPFields([("a", " GZIP ,,x;q=1"), ("b", "-"), ("a", "Y\t")])
        #expect(fields.listMembers(of: "a") == ["gzip", "x;q=1", "y"])
        #expect(fields.listMembers(of: "c") == [])
    }

    @Test(arguments: [("", ""), (" ", ""), ("\t a b \t", "a b"), ("a", "a"), ("\u{A0}a", "\u{A0}a")])
    func `trim spaces and tabs only`(text: String, trimmed: String) {
        #expect(text.trimmingSpaces() == trimmed)
    }

    @Test(arguments: [("/a?b?c", "/a", "b?c"), ("/a", "/a", ""), ("/a?", "/a", ""), ("?", "", "")])
    func `a target splits at its first question mark`(target: String, path: String, query: String) {
        let head = HTTPRequestHead(method: "GET", target: target)
        #expect(head.path == path)
        #expect(head.query == query)
    }
}
