import JSON
import Testing

@Suite struct `JSON values` {
    @Test func `keep numbers as they were written`() throws {
        let text = "[18446744073709551615,-9223372036854775808,1.10,1E400,0.1e-7]"
        let value = try JSONValue(parsing: text)
        #expect(value.text == text)
        #expect(value[0]?.uint64 == .max && value[0]?.int64 == nil)
        #expect(value[1]?.int64 == .min && value[1]?.uint64 == nil)
        #expect(value[2]?.double == 1.1 && value[2]?.int64 == nil)
        #expect(value[3]?.double == nil && value[3]?.int64 == nil)
    }

    @Test(arguments: [("5", 5), ("5.0", 5), ("1e3", 1000), ("-0", 0), ("9007199254740993", 9_007_199_254_740_993)])
    func `read whole numbers in every spelling`(row: (literal: String, value: Int64)) {
        #expect(JSONNumber(literal: row.literal)?.int64 == row.value)
    }

    @Test(arguments: ["", "1.", "01", "+1", "1 ", " 1", "NaN", "1e", "0x1", "--1"])
    func `refuse text that is no number`(literal: String) {
        #expect(JSONNumber(literal: literal) == nil)
    }

    @Test func `keep the order of first appearance and the last of equal names`() throws {
        let value = try JSONValue(parsing: #"{"b":1,"a":2,"b":3,"c":4,"a":5}"#)
        #expect(value.text == #"{"b":3,"a":5,"c":4}"#)
        let many = (0..<50).map { "\"k\($0 % 20)\":\($0)" }.joined(separator: ",")
        let object = try JSONValue(parsing: "{\(many)}").object
        #expect(object?.count == 20 && object?["k3"] == 43 && object?.names.first == "k0")
    }

    @Test func `tell names apart that only normalisation would equate`() throws {
        let value = try JSONValue(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(value.object?.count == 2)
        #expect(value["\u{E9}"] == 1 && value["e\u{301}"] == 2)
        #expect(JSONValue.string("\u{E9}") != JSONValue.string("e\u{301}"))
    }

    @Test func `set, replace and remove members`() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = "x"
        object["c"] = [nil, true, 1.5]
        object["b"] = nil
        #expect(JSONValue.object(object).text == #"{"a":"x","c":[null,true,1.5]}"#)
        #expect(object.remove("a") == "x" && object.remove("a") == nil)
    }

    @Test func `find the first spelling that is there`() {
        let object: JSONObject = ["analyticsLabel": nil, "analytics_label": "x"]
        #expect(object[firstOf: "analyticsLabel", "analytics_label"] == "x")
        #expect(object[firstOf: "other"] == nil)
    }

    @Test func `compare objects in any order`() {
        #expect(["a": 1, "b": 2] as JSONValue == ["b": 2, "a": 1])
        #expect(["a": 1, "b": 2] as JSONValue != ["b": 2, "a": 2])
        #expect([1, 2] as JSONValue != [2, 1])
    }

    @Test func `escape only what must be escaped`() {
        let text = "\u{0}\u{1F}\u{8}\t\n\u{C}\r\"\\/é😀\u{2028}\u{7F}"
        #expect(JSONValue.string(text).text == #""\u0000\u001f\b\t\n\f\r\"\\/é😀"# + "\u{2028}\u{7F}\"")
    }

    @Test func `print with a line per member`() {
        let value: JSONValue = ["error": ["code": 400, "details": [["a": "b"]], "none": [], "empty": [:]]]
        let expected = """
            {
              "error": {
                "code": 400,
                "details": [
                  {
                    "a": "b"
                  }
                ],
                "none": [],
                "empty": {}
              }
            }

            """
        #expect(String(decoding: value.prettyPrinted, as: UTF8.self) == expected)
    }
}

@Suite struct `JSON writer` {
    @Test func `puts commas where they belong`() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("a", "x")
        writer.key("b")
        writer.beginArray()
        writer.integer(1)
        writer.double(.nan)
        writer.null()
        writer.beginObject()
        writer.endObject()
        writer.raw("[2]".utf8)
        writer.endArray()
        writer.member("c", UInt64.max)
        writer.member("d", true)
        writer.member("e", ["f": nil])
        writer.endObject()
        let text = #"{"a":"x","b":[1,null,null,{},[2]],"c":18446744073709551615,"d":true,"e":{"f":null}}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }
}
