import JSON
import Testing

@Suite struct `JSON cursor` {
    @Test func `reads an object key by key`() throws {
        let text = Array(#" {"name":"n","count":3,"more":{"x":[1,2]},"on":true,"none":null,"te\u0078t":"\n"} "#.utf8)
        var seen: [String] = []
        try JSONCursor.read(text) { (cursor) throws(JSONError) in
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                switch key {
                case "name": seen.append(try cursor.readString())
                case "count": seen.append(try cursor.readNumber().literal)
                case "on": seen.append("\(try cursor.readBool())")
                case "none": seen.append("\(try cursor.readNullIfPresent())")
                case "text": seen.append(try cursor.readString())
                default: seen.append(String(decoding: cursor.bytes(in: try cursor.skipValue()), as: UTF8.self))
                }
            }
            try cursor.end()
        }
        #expect(seen == ["n", "3", #"{"x":[1,2]}"#, "true", "true", "\n"])
    }

    @Test func `reads an array element by element`() throws {
        let sum = try JSONCursor.read(Array("[1, 2 ,3]".utf8)) { (cursor) throws(JSONError) -> Int64 in
            var sum: Int64 = 0
            try cursor.beginArray()
            while try cursor.nextElement() { sum += try cursor.readNumber().int64 ?? 0 }
            return sum
        }
        #expect(sum == 6)
    }

    @Test func `compares keys exactly`() throws {
        try JSONCursor.read(Array(#"{"ab":1,"\u0061b":2}"#.utf8)) { (cursor) throws(JSONError) in
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                #expect(key == "ab" && key == Array("ab".utf8) && key.text == "ab")
                #expect(!(key == "a") && !(key == "abc") && !(key == Array("aB".utf8)))
                try cursor.skipValue()
            }
        }
    }

    @Test func `refuses a value of another kind`() {
        let error = #expect(throws: JSONError.self) {
            try JSONCursor.read(Array(" 12".utf8)) { (cursor) throws(JSONError) in try cursor.readString() }
        }
        #expect(error == JSONError(.mismatch(wanted: .string), at: 1))
    }

    @Test func `keeps the case of a caller that skips no value`() {
        #expect(throws: JSONError(.expected(.commaOrObjectEnd), at: 5)) {
            try JSONCursor.read(Array(#"{"a":1}"#.utf8)) { (cursor) throws(JSONError) in
                try cursor.beginObject()
                while try cursor.nextKey() != nil {}
            }
        }
    }
}
