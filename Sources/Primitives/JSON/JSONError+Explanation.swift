extension JSONError: CustomStringConvertible {
    /// One sentence in the words that Google's own parser uses for it.
    public var description: String {
        switch kind {
        case .unexpectedEnd(let expectation): "Unexpected end of string. \(expectation.sentence)"
        case .expected(let expectation): expectation.sentence
        case .unexpectedToken: "Unexpected token."
        case .mismatch(let wanted): "Expected \(wanted.noun)."
        case .unterminatedString: "Closing quote expected in string."
        case .unescapedControlCharacter: "Control characters in strings must be escaped."
        case .invalidEscape: "Invalid escape sequence."
        case .invalidHexEscape: "Illegal hex string."
        case .loneSurrogate: "Missing low surrogate."
        case .invalidUTF8: "Encountered non UTF-8 code points."
        case .invalidNumber: "Unable to parse number."
        case .numberTooLong: "Number is too long."
        case .tooDeep: "Message too deep. Max recursion depth reached."
        case .tooLarge: "Payload is too large."
        case .trailingContent: "Parsing terminated before end of input."
        }
    }

    /// The sentence, the piece of the line around the place, and a caret under it, each on its own line.
    ///
    /// - Parameter text: The bytes that were read.
    public func explanation(in text: [UInt8]) -> String {
        let (excerpt, column) = excerpt(of: text)
        return "\(description)\n\(excerpt)\n\(String(repeating: " ", count: column))^"
    }

    /// Up to 20 characters on both sides of the place, never beyond its line, and how many characters come before it.
    public func excerpt(of text: [UInt8], contextCharacters: Int = 20) -> (excerpt: String, caretColumn: Int) {
        let place = min(max(offset, 0), text.count)
        let before = text[..<place].reversed().prefix(contextCharacters * 4).prefix { !isLineEnd($0) }
        let after = text[place...].prefix(contextCharacters * 4).prefix { !isLineEnd($0) }
        let left = String(decoding: before.reversed(), as: UTF8.self).unicodeScalars.suffix(contextCharacters)
        let right = String(decoding: after, as: UTF8.self).unicodeScalars.prefix(contextCharacters)
        return (String(left) + String(right), left.count)
    }

    private func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

extension JSONError.Expectation {
    fileprivate var sentence: String {
        switch self {
        case .value: "Expected a value."
        case .keyOrObjectEnd: "Expected an object key or }."
        case .key: "Expected an object key."
        case .colon: "Expected : between key:value pair."
        case .commaOrObjectEnd: "Expected , or } after key:value pair."
        case .valueOrArrayEnd: "Expected a value or ] within an array."
        case .commaOrArrayEnd: "Expected , or ] after array value."
        }
    }
}

extension JSONKind {
    fileprivate var noun: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "a boolean"
        case .null: "null"
        }
    }
}
