/// A string whose bytes were checked: where its content lies, and what it needs to become text.
struct ScannedString {
    /// The content, without the quotes.
    var content: Range<Int>
    var hasEscapes: Bool

    /// The content with its escapes undone. All escapes were checked by `scanString`.
    func unescaped(in text: UnsafeRawBufferPointer) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(content.count)
        var position = content.lowerBound
        while position < content.upperBound {
            let byte = text[position]
            guard byte == UInt8(ascii: "\\"), position + 1 < content.upperBound else {
                output.append(byte)
                position += 1
                continue
            }
            position += appendEscape(at: position, of: text, to: &output)
        }
        return output
    }

    /// - Returns: How many bytes the escape takes.
    private func appendEscape(at position: Int, of text: UnsafeRawBufferPointer, to output: inout [UInt8]) -> Int {
        let letter = text[position + 1]
        guard letter == UInt8(ascii: "u") else {
            output.append(Self.simpleEscapes(letter) ?? letter)
            return 2
        }
        guard let unit = hexUnit(at: position + 2, in: text, before: content.upperBound) else { return 2 }
        guard 0xD800..<0xDC00 ~= unit, let low = hexUnit(at: position + 8, in: text, before: content.upperBound) else {
            append(UInt32(unit), to: &output)
            return 6
        }
        append(0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(low) & 0x3FF, to: &output)
        return 12
    }

    private func append(_ codePoint: UInt32, to output: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(codePoint) else { return }
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// The character of a two-character escape, or `nil` for a letter that makes none.
    static func simpleEscapes(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }
}

/// The four hexadecimal digits at `position`, all before `end`.
func hexUnit(at position: Int, in text: UnsafeRawBufferPointer, before end: Int) -> UInt16? {
    guard position + 4 <= end else { return nil }
    var unit: UInt16 = 0
    for byte in text[position..<position + 4] {
        let digit: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
        default: return nil
        }
        unit = unit << 4 | UInt16(digit)
    }
    return unit
}

extension JSONCursor {
    /// Reads a string.
    public mutating func readString() throws(JSONError) -> String {
        try require(.string)
        let string = try scanString()
        if string.hasEscapes { return String(decoding: string.unescaped(in: text), as: UTF8.self) }
        return String(decoding: UnsafeRawBufferPointer(rebasing: text[string.content]), as: UTF8.self)
    }

    /// Reads a string as its UTF-8 bytes.
    public mutating func readStringBytes() throws(JSONError) -> [UInt8] {
        try require(.string)
        let string = try scanString()
        return string.hasEscapes ? string.unescaped(in: text) : [UInt8](text[string.content])
    }

    /// Reads and checks the string whose opening quote is next.
    mutating func scanString() throws(JSONError) -> ScannedString {
        let start = offset + 1
        var position = start
        var hasEscapes = false
        var isASCII = true
        scan: while true {
            position = skipPlainText(from: position)
            guard position < text.count else { throw JSONError(.unterminatedString, at: text.count) }
            switch text[position] {
            case UInt8(ascii: "\""): break scan
            case UInt8(ascii: "\\"):
                hasEscapes = true
                position += try checkEscape(at: position)
            case 0..<0x20: throw JSONError(.unescapedControlCharacter, at: position)
            case 0x80...0xFF:
                isASCII = false
                position += 1
            default: position += 1
            }
        }
        if !isASCII, let fault = firstInvalidUTF8(in: text, start..<position) {
            throw JSONError(.invalidUTF8, at: fault)
        }
        offset = position + 1
        return ScannedString(content: start..<position, hasEscapes: hasEscapes)
    }

    /// Passes over ASCII that stands for itself, eight bytes at a time.
    private func skipPlainText(from start: Int) -> Int {
        var position = start
        while position + 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            guard isPlain(word) else { return position }
            position += 8
        }
        return position
    }

    /// Whether none of eight bytes is a quote, a backslash, a control character or beyond ASCII.
    private func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let special = (quote &- ones) | (backslash &- ones) | (word &- ones &* 0x20) | word
        return special & highs == 0
    }

    /// - Returns: How many bytes the escape takes.
    private func checkEscape(at position: Int) throws(JSONError) -> Int {
        guard position + 1 < text.count else { throw JSONError(.unterminatedString, at: text.count) }
        guard text[position + 1] == UInt8(ascii: "u") else {
            guard ScannedString.simpleEscapes(text[position + 1]) != nil else {
                throw JSONError(.invalidEscape, at: position)
            }
            return 2
        }
        guard let unit = hexUnit(at: position + 2, in: text, before: text.count) else {
            throw JSONError(.invalidHexEscape, at: position)
        }
        guard 0xD800..<0xE000 ~= unit else { return 6 }
        guard unit < 0xDC00, position + 8 <= text.count, text[position + 6] == UInt8(ascii: "\\"),
            text[position + 7] == UInt8(ascii: "u"), let low = hexUnit(at: position + 8, in: text, before: text.count),
            0xDC00..<0xE000 ~= low
        else { throw JSONError(.loneSurrogate, at: position) }
        return 12
    }
}
