import JSON

/// The scalar types and the well-known ones. Source: protobuf.dev, ProtoJSON format.
extension ProtoJSONReader {
    mutating func readString() throws(JSONError) -> String? {
        guard try isNext(.string, type: "TYPE_STRING") else { return nil }
        return try cursor.readString()
    }

    mutating func readBool() throws(JSONError) -> Bool? {
        guard try isNext(.bool, type: "TYPE_BOOL") else { return nil }
        return try cursor.readBool()
    }

    /// Reads a whole number, written as a number or as a string.
    mutating func readInt32() throws(JSONError) -> Int32? {
        guard let text = try readNumberText(type: "TYPE_INT32") else { return nil }
        guard let value = JSONNumber(literal: text.unquoted)?.int64, let value = Int32(exactly: value) else {
            note(.value(type: "TYPE_INT32", text: text.literal))
            return nil
        }
        return value
    }

    /// Reads a finite number, written as a number or as a string.
    mutating func readFloat() throws(JSONError) -> Double? {
        guard let text = try readNumberText(type: "TYPE_FLOAT") else { return nil }
        guard let value = JSONNumber(literal: text.unquoted)?.double else {
            note(.value(type: "TYPE_FLOAT", text: text.literal))
            return nil
        }
        return value
    }

    /// Reads a name in any case or a number.
    mutating func readEnum(_ type: EnumType) throws(JSONError) -> EnumType.Value? {
        guard let text = try readNumberText(type: type.url) else { return nil }
        if let value = type.value(text.unquoted, isNumber: !text.isQuoted) { return value }
        note(.value(type: type.url, text: text.literal))
        return nil
    }

    mutating func readDuration() throws(JSONError) -> ProtoDuration? {
        let url = "type.googleapis.com/google.protobuf.Duration"
        guard let text = try readWellKnownText(url: url, what: "duration") else { return nil }
        do {
            return try ProtoDuration(text)
        } catch {
            note(.wellKnown(type: url, problem: error.text))
            return nil
        }
    }

    /// Reads an RFC 3339 time and keeps its text.
    mutating func readTimestamp() throws(JSONError) -> String? {
        let url = "type.googleapis.com/google.protobuf.Timestamp"
        guard let text = try readWellKnownText(url: url, what: "timestamp") else { return nil }
        guard RFC3339.isTime(text) else {
            note(.wellKnown(type: url, problem: "Invalid time format: \(String(text.prefix(64)))"))
            return nil
        }
        return text
    }

    /// Reads any JSON object as it is.
    mutating func readStruct() throws(JSONError) -> JSONObject? {
        guard try isNext(.object, type: "type.googleapis.com/google.protobuf.Struct") else { return nil }
        return try cursor.readObject()
    }

    mutating func readStrings() throws(JSONError) -> [String]? {
        try readList(of: "TYPE_STRING") { (reader) throws(JSONError) in try reader.readString() }
    }

    /// The text of a number or string, and how it was written.
    private struct NumberText {
        var unquoted: String
        var isQuoted: Bool

        var literal: String { isQuoted ? JSONValue.string(unquoted).text : unquoted }
    }

    private mutating func readNumberText(type: String) throws(JSONError) -> NumberText? {
        switch try cursor.peek() {
        case .number: return NumberText(unquoted: try cursor.readNumber().literal, isQuoted: false)
        case .string: return NumberText(unquoted: String(try cursor.readString().prefix(200)), isQuoted: true)
        default:
            _ = try isNext(.number, type: type)
            return nil
        }
    }

    private mutating func readWellKnownText(url: String, what: String) throws(JSONError) -> String? {
        switch try cursor.peek() {
        case .string: return try cursor.readString()
        case .number, .bool:
            let literal = String(decoding: cursor.bytes(in: try cursor.skipValue()).prefix(64), as: UTF8.self)
            note(.wellKnown(type: url, problem: "Invalid data type for \(what), value is \(literal)"))
            return nil
        default:
            _ = try isNext(.string, type: url)
            return nil
        }
    }
}
