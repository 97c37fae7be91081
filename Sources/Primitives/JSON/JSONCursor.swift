/// A pull reader over JSON text in memory: each call reads the next piece and checks it. Source: RFC 8259, strictly.
///
/// Lives only inside the closure that lends it the bytes (`JSONCursor.read`), because it holds their address. An object
/// is read as `try cursor.beginObject()`, then `while let key = try cursor.nextKey()` with exactly one value read or
/// skipped per key; an array as `beginArray()` and `while try cursor.nextElement()`. Keys may repeat: the last one wins
/// for a caller that assigns as it reads.
///
/// Strings that are not UTF-8, and `\u` escapes of half a surrogate pair, are refused: neither names a character.
public struct JSONCursor {
    let text: UnsafeRawBufferPointer
    /// Bytes read so far.
    public internal(set) var offset = 0
    let maximumDepth: Int
    private let isOverLimit: Bool
    private var depth = 0
    /// Whether the innermost array or object was just opened, so that no comma comes before its next piece.
    private var isFresh = false

    init(_ text: UnsafeRawBufferPointer, options: JSONOptions) {
        isOverLimit = text.count > options.maximumBytes
        self.text = isOverLimit ? UnsafeRawBufferPointer(rebasing: text[..<0]) : text
        maximumDepth = options.maximumDepth
        if options.skipsByteOrderMark, self.text.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// Lends a cursor over `text` to `body`.
    public static func read<Result, Failure: Error>(
        _ text: [UInt8], options: JSONOptions = JSONOptions(),
        _ body: (inout JSONCursor) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try text.withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
            var cursor = JSONCursor(UnsafeRawBufferPointer(buffer), options: options)
            return try body(&cursor)
        }
    }

    /// The kind of the next value, which is not read.
    public mutating func peek() throws(JSONError) -> JSONKind {
        switch try nextByte(or: .value) {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            throw JSONError(.unexpectedToken, at: offset)
        default: throw JSONError(.expected(.value), at: offset)
        }
    }

    public mutating func beginObject() throws(JSONError) {
        try open(.object)
    }

    /// The next key of the object, its colon read; `nil` when the object is closed.
    public mutating func nextKey() throws(JSONError) -> JSONKey? {
        var byte = try nextByte(or: isFresh ? .keyOrObjectEnd : .commaOrObjectEnd)
        if byte == UInt8(ascii: "}") {
            close()
            return nil
        }
        if !isFresh {
            guard byte == UInt8(ascii: ",") else { throw JSONError(.expected(.commaOrObjectEnd), at: offset) }
            offset += 1
            byte = try nextByte(or: .key)
        }
        guard byte == UInt8(ascii: "\"") else {
            throw JSONError(.expected(isFresh ? .keyOrObjectEnd : .key), at: offset)
        }
        isFresh = false
        let key = JSONKey(try scanString(), in: text)
        guard try nextByte(or: .colon) == UInt8(ascii: ":") else { throw JSONError(.expected(.colon), at: offset) }
        offset += 1
        return key
    }

    public mutating func beginArray() throws(JSONError) {
        try open(.array)
    }

    /// Whether another element comes; `false` when the array is closed.
    public mutating func nextElement() throws(JSONError) -> Bool {
        let byte = try nextByte(or: isFresh ? .valueOrArrayEnd : .commaOrArrayEnd)
        if byte == UInt8(ascii: "]") {
            close()
            return false
        }
        if !isFresh {
            guard byte == UInt8(ascii: ",") else { throw JSONError(.expected(.commaOrArrayEnd), at: offset) }
            offset += 1
        }
        isFresh = false
        return true
    }

    /// Checks that only white space is left.
    public mutating func end() throws(JSONError) {
        skipWhiteSpace()
        guard offset == text.count else { throw JSONError(.trailingContent, at: offset) }
    }

    private mutating func open(_ kind: JSONKind) throws(JSONError) {
        try require(kind)
        guard depth < maximumDepth else { throw JSONError(.tooDeep, at: offset) }
        depth += 1
        offset += 1
        isFresh = true
    }

    private mutating func close() {
        depth -= 1
        offset += 1
        isFresh = false
    }

    mutating func require(_ kind: JSONKind) throws(JSONError) {
        guard try peek() == kind else { throw JSONError(.mismatch(wanted: kind), at: offset) }
    }

    /// The next byte that is not white space, which is not read.
    private mutating func nextByte(or expectation: JSONError.Expectation) throws(JSONError) -> UInt8 {
        skipWhiteSpace()
        guard offset < text.count else {
            throw JSONError(isOverLimit ? .tooLarge : .unexpectedEnd(expectation), at: offset)
        }
        return text[offset]
    }

    private mutating func skipWhiteSpace() {
        while offset < text.count {
            switch text[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }
}
