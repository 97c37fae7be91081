import JSON
import Testing

struct GrammarRow: Sendable, CustomTestStringConvertible {
    let name: String
    let text: [UInt8]

    init(_ name: String, _ text: String) {
        self.init(name, bytes: Array(text.utf8))
    }

    init(_ name: String, bytes: [UInt8]) {
        self.name = name
        text = bytes
    }

    var testDescription: String { name }
}

@Suite struct `JSON grammar` {
    static let valid = [
        GrammarRow("empty object", "{}"), GrammarRow("empty array", "[]"),
        GrammarRow("white space everywhere", " \t\r\n{ \"a\" : [ 1 , 2 ] } \n"),
        GrammarRow("bare string", "\"a\""), GrammarRow("bare number", "42"), GrammarRow("bare literal", "null"),
        GrammarRow("negative zero", "-0"), GrammarRow("fraction", "[0.5]"),
        GrammarRow("exponents", "[1e3,1E+3,1e-3,0e0,1.5E10]"),
        GrammarRow("huge exponent", "[1e9999]"),
        GrammarRow("digits beyond 64 bits", "[123456789012345678901234567890]"),
        GrammarRow("all simple escapes", #"["\"\\\/\b\f\n\r\t"]"#), GrammarRow("escaped NUL", #"["\u0000"]"#),
        GrammarRow("surrogate pair", #"["\ud83d\ude00"]"#), GrammarRow("raw emoji", "[\"😀\"]"),
        GrammarRow("DEL unescaped", "[\"\u{7F}\"]"), GrammarRow("line separator unescaped", "[\"\u{2028}\"]"),
        GrammarRow("noncharacter", "[\"\u{10FFFF}\"]"), GrammarRow("empty key", "{\"\":0}"),
        GrammarRow("repeated key", "{\"a\":1,\"a\":2}"), GrammarRow("escaped key", #"{"\u0061":1}"#),
        GrammarRow("nested", "[[[[{\"a\":[{}]}]]]]"),
        GrammarRow("long string", "\"" + String(repeating: "x", count: 999) + "\""),
        GrammarRow("deepest nesting", String(repeating: "[", count: 100) + String(repeating: "]", count: 100)),
    ]

    static let invalid = [
        GrammarRow("nothing", ""), GrammarRow("white space only", "  \n"), GrammarRow("open array", "["),
        GrammarRow("open object", "{"), GrammarRow("closed by the wrong bracket", "[1}"),
        GrammarRow("object closed by a bracket", "{\"a\":1]"), GrammarRow("trailing comma in an array", "[1,]"),
        GrammarRow("trailing comma in an object", "{\"a\":1,}"), GrammarRow("leading comma", "[,1]"),
        GrammarRow("leading comma in an object", "{,\"a\":1}"), GrammarRow("double comma", "[1,,2]"),
        GrammarRow("missing comma", "[1 2]"), GrammarRow("missing colon", "{\"a\" 1}"),
        GrammarRow("double colon", "{\"a\"::1}"), GrammarRow("missing value", "{\"a\":}"),
        GrammarRow("key without value", "{\"a\"}"), GrammarRow("unquoted key", "{a:1}"),
        GrammarRow("single quotes", "{'a':1}"), GrammarRow("number as key", "{1:1}"),
        GrammarRow("trailing text", "{} x"), GrammarRow("two values", "1 2"), GrammarRow("stray bracket", "[]]"),
        GrammarRow("leading zero", "[01]"), GrammarRow("leading plus", "[+1]"), GrammarRow("bare minus", "[-]"),
        GrammarRow("bare fraction", "[.5]"), GrammarRow("dot without digits", "[1.]"),
        GrammarRow("exponent without digits", "[1e]"), GrammarRow("signed exponent without digits", "[1e+]"),
        GrammarRow("hexadecimal", "[0x10]"), GrammarRow("infinity", "[Infinity]"), GrammarRow("NaN", "[NaN]"),
        GrammarRow("capital literal", "[True]"), GrammarRow("cut literal", "[tru"),
        GrammarRow("mistyped literal", "[nul]"),
        GrammarRow("literal with a tail", "[truex]"), GrammarRow("open string", "[\"a"),
        GrammarRow("string ended by an escape", "[\"a\\"), GrammarRow("open string of eight", "\"12345678"),
        GrammarRow("raw newline in a string", "[\"a\nb\"]"), GrammarRow("raw tab in a string", "[\"\t\"]"),
        GrammarRow("raw NUL in a string", bytes: [0x22, 0, 0x22]), GrammarRow("unknown escape", #"["\x41"]"#),
        GrammarRow("short hex escape", #"["\u12"]"#), GrammarRow("bad hex escape", #"["\u12G4"]"#),
        GrammarRow("lone high surrogate", #"["\ud83d"]"#), GrammarRow("lone low surrogate", #"["\ude00"]"#),
        GrammarRow("two high surrogates", #"["\ud83d\ud83d"]"#), GrammarRow("swapped surrogates", #"["\ude00\ud83d"]"#),
        GrammarRow("high surrogate before text", #"["\ud83dxxxxxxx"]"#),
        GrammarRow("lone continuation byte", bytes: [0x22, 0x80, 0x22]),
        GrammarRow("cut character", bytes: [0x22, 0xC3, 0x22]),
        GrammarRow("overlong slash", bytes: [0x22, 0xC0, 0xAF, 0x22]),
        GrammarRow("overlong in three", bytes: [0x22, 0xE0, 0x80, 0xAF, 0x22]),
        GrammarRow("encoded surrogate", bytes: [0x22, 0xED, 0xA0, 0x80, 0x22]),
        GrammarRow("beyond Unicode", bytes: [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22]),
        GrammarRow("Latin-1", bytes: [0x22, 0x61, 0xE9, 0x22]), GrammarRow("byte order mark", "\u{FEFF}{}"),
        GrammarRow("UTF-16", bytes: [0x7B, 0, 0x7D, 0]), GrammarRow("comment", "[1/*x*/]"),
        GrammarRow("form feed as white space", "[\u{0C}1]"), GrammarRow("no-break space", "[\u{A0}1]"),
        GrammarRow("one level too deep", String(repeating: "[", count: 101) + String(repeating: "]", count: 101)),
        GrammarRow("a million brackets", String(repeating: "[", count: 1_000_000)),
        GrammarRow("endless number", String(repeating: "1", count: 1025)),
    ]

    @Test(arguments: valid) func `accepts what the grammar allows`(row: GrammarRow) throws {
        let value = try JSONValue(parsing: row.text)
        try JSONCursor.read(row.text) { (cursor) throws(JSONError) in
            try cursor.skipValue()
            try cursor.end()
        }
        #expect(try JSONValue(parsing: value.encoded) == value)
    }

    @Test(arguments: invalid) func `refuses what the grammar does not allow`(row: GrammarRow) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: row.text) }
        #expect(throws: JSONError.self) {
            try JSONCursor.read(row.text) { (cursor) throws(JSONError) in
                try cursor.skipValue()
                try cursor.end()
            }
        }
    }

    @Test func `passes over a byte order mark when told`() throws {
        let options = JSONOptions(skipsByteOrderMark: true)
        #expect(try JSONValue(parsing: "\u{FEFF}[1]", options: options) == [1])
        #expect(try JSONValue(parsing: "[1]", options: options) == [1])
    }

    @Test func `refuses a text beyond its limit`() {
        let error = #expect(throws: JSONError.self) {
            try JSONValue(parsing: "[1,2]", options: JSONOptions(maximumBytes: 4))
        }
        #expect(error?.kind == .tooLarge)
    }
}
