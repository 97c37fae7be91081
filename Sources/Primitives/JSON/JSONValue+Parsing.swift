extension JSONValue {
    /// Reads a whole JSON text: one value and nothing but white space around it.
    public init(parsing text: [UInt8], options: JSONOptions = JSONOptions()) throws(JSONError) {
        self = try JSONCursor.read(text, options: options) { (cursor) throws(JSONError) -> JSONValue in
            let value = try cursor.readValue()
            try cursor.end()
            return value
        }
    }

    public init(parsing text: String, options: JSONOptions = JSONOptions()) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), options: options)
    }
}

extension JSONCursor {
    /// Reads one value of any kind.
    public mutating func readValue() throws(JSONError) -> JSONValue {
        switch try peek() {
        case .object: .object(try readObject())
        case .array: .array(try readArray())
        case .string: .string(try readString())
        case .number: .number(try readNumber())
        case .bool: .bool(try readBool())
        case .null: try readNullValue()
        }
    }

    public mutating func readObject() throws(JSONError) -> JSONObject {
        var object = JSONObject()
        try beginObject()
        while let key = try nextKey() { object.append(key.text, try readValue()) }
        object.removeDuplicates()
        return object
    }

    private mutating func readArray() throws(JSONError) -> [JSONValue] {
        var array: [JSONValue] = []
        try beginArray()
        while try nextElement() { array.append(try readValue()) }
        return array
    }

    private mutating func readNullValue() throws(JSONError) -> JSONValue {
        try readNull()
        return .null
    }
}
