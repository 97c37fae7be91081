extension JSONCursor {
    /// The longest number literal that is read, in bytes.
    public static let maximumNumberBytes = 1024

    public mutating func readNumber() throws(JSONError) -> JSONNumber {
        JSONNumber(checked: String(decoding: UnsafeRawBufferPointer(rebasing: text[try scanNumber()]), as: UTF8.self))
    }

    public mutating func readBool() throws(JSONError) -> Bool {
        try require(.bool)
        if text[offset] == UInt8(ascii: "t") {
            try readWord("true")
            return true
        }
        try readWord("false")
        return false
    }

    public mutating func readNull() throws(JSONError) {
        try require(.null)
        try readWord("null")
    }

    /// Reads a `null` if one is next: for callers to whom null means absent.
    public mutating func readNullIfPresent() throws(JSONError) -> Bool {
        guard try peek() == .null else { return false }
        try readNull()
        return true
    }

    /// Reads and checks one value of any kind.
    ///
    /// - Returns: Where its text lies.
    @discardableResult public mutating func skipValue() throws(JSONError) -> Range<Int> {
        let kind = try peek()
        let start = offset
        switch kind {
        case .object:
            try beginObject()
            while try nextKey() != nil { try skipValue() }
        case .array:
            try beginArray()
            while try nextElement() { try skipValue() }
        case .string: _ = try scanString()
        case .number: _ = try scanNumber()
        case .bool: _ = try readBool()
        case .null: try readNull()
        }
        return start..<offset
    }

    /// A copy of a piece of the text, as `skipValue` names it.
    public func bytes(in range: Range<Int>) -> [UInt8] {
        [UInt8](text[range.clamped(to: 0..<text.count)])
    }

    private mutating func readWord(_ word: StaticString) throws(JSONError) {
        let end = offset + word.utf8CodeUnitCount
        guard end <= text.count, word.withUTF8Buffer({ $0.elementsEqual(text[offset..<end]) }) else {
            throw JSONError(.unexpectedToken, at: offset)
        }
        offset = end
    }

    /// Reads a number literal. Source: RFC 8259 §6.
    private mutating func scanNumber() throws(JSONError) -> Range<Int> {
        try require(.number)
        let start = offset
        var position = offset
        if text[position] == UInt8(ascii: "-") { position += 1 }
        if position < text.count, text[position] == UInt8(ascii: "0") {
            position += 1
        } else {
            position = try digits(from: position)
        }
        if position < text.count, text[position] == UInt8(ascii: ".") { position = try digits(from: position + 1) }
        if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < text.count, text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") {
                position += 1
            }
            position = try digits(from: position)
        }
        guard position - start <= Self.maximumNumberBytes else { throw JSONError(.numberTooLong, at: start) }
        offset = position
        return start..<position
    }

    /// - Returns: The place after one or more digits.
    private func digits(from start: Int) throws(JSONError) -> Int {
        var position = start
        while position < text.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[position] { position += 1 }
        guard position > start else { throw JSONError(.invalidNumber, at: min(start, text.count)) }
        return position
    }
}
