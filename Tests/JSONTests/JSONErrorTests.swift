import JSON
import Testing

@Suite struct `JSON errors` {
    struct Row: Sendable {
        let text: String
        let kind: JSONError.Kind
        let offset: Int
    }

    static let rows = [
        Row(text: "", kind: .unexpectedEnd(.value), offset: 0),
        Row(text: "{\"a\":1,}", kind: .expected(.key), offset: 7),
        Row(text: "{a:1}", kind: .expected(.keyOrObjectEnd), offset: 1),
        Row(text: "{\"a\" 1}", kind: .expected(.colon), offset: 5),
        Row(text: "{\"a\":1 \"b\"", kind: .expected(.commaOrObjectEnd), offset: 7),
        Row(text: "[1 2]", kind: .expected(.commaOrArrayEnd), offset: 3),
        Row(text: "[1,]", kind: .expected(.value), offset: 3),
        Row(text: "[nope]", kind: .unexpectedToken, offset: 1),
        Row(text: "[\"ab", kind: .unterminatedString, offset: 4),
        Row(text: "[\"a\u{1}\"]", kind: .unescapedControlCharacter, offset: 3),
        Row(text: #"["\q"]"#, kind: .invalidEscape, offset: 2),
        Row(text: #"["\ud800"]"#, kind: .loneSurrogate, offset: 2),
        Row(text: "[-x]", kind: .invalidNumber, offset: 2),
        Row(text: "[] []", kind: .trailingContent, offset: 3),
    ]

    @Test(arguments: rows) func `name the fault and its place`(row: Row) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: row.text) }
        #expect(error == JSONError(row.kind, at: row.offset))
    }

    @Test func `show the place with a caret`() {
        let text = Array(#"{"message":{"notification":{"title":"t","body":"b",}}}"#.utf8)
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        let explanation = """
            Expected an object key.
            tle":"t","body":"b",}}}
                                ^
            """
        #expect(error?.explanation(in: text) == explanation)
    }

    @Test func `keep to the line and to whole characters`() {
        let text = Array("{\n\"kk\": \"éé\" é,\n}".utf8)
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.excerpt(of: text).excerpt == "\"kk\": \"éé\" é,")
        #expect(error?.excerpt(of: text).caretColumn == 11)
    }

    @Test func `survive a place outside of the text`() {
        #expect(JSONError(.tooLarge, at: 99).excerpt(of: [0x31]).excerpt == "1")
        #expect(JSONError(.tooLarge, at: -1).excerpt(of: [0x31]).caretColumn == 0)
    }
}
