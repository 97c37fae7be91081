#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Byte classes of the HTTP grammar. Source: RFC 9110 §5.6.2, RFC 5234 appendix B.
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// For each ASCII character, itself in lower case when a token may hold it, else NUL: letters, digits and
    /// ``!#$%&'*+-.^_`|~``.
    private static let tokenTable: StaticString =
        """
        \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
        \0!\0#$%&'\0\0*+\0-.\00123456789\0\0\0\0\0\0\
        \0abcdefghijklmnopqrstuvwxyz\0\0\0^_\
        `abcdefghijklmnopqrstuvwxyz\0|\0~\0
        """

    /// Writes a token in lower case.
    ///
    /// - Returns: `false` when a byte may not stand in a token.
    static func copyToken(_ token: UnsafeBufferPointer<UInt8>, to text: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        guard token.count <= text.count, let source = token.baseAddress, let target = text.baseAddress else {
            return false
        }
        let table = tokenTable.utf8Start
        var bad: UInt8 = 0
        for index in 0..<token.count {
            let byte = source[index]
            let character = table[Int(byte & 0x7F)]
            bad |= flag(character == 0) | byte >> 7
            target[index] = character
        }
        return bad == 0
    }

    static func isToken(_ byte: UInt8) -> Bool {
        byte < 128 && tokenTable.utf8Start[Int(byte)] != 0
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Characters of a field value: visible ones, space, tab and bytes above ASCII.
    static func isFieldValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var bad: UInt8 = 0
        for byte in bytes { bad |= flag(byte < 0x20) & flag(byte != tab) | flag(byte == 0x7F) }
        return bad == 0
    }

    /// Characters of a request target: visible ASCII without the fragment mark.
    static func isTarget(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var bad: UInt8 = 0
        for byte in bytes { bad |= flag(byte <= 0x20) | flag(byte >= 0x7F) | flag(byte == UInt8(ascii: "#")) }
        return bad == 0
    }

    /// 1 for `true`: or-ing these without a branch lets the compiler look at many bytes at a time.
    private static func flag(_ condition: Bool) -> UInt8 { condition ? 1 : 0 }

    /// Characters of host and port: RFC 3986 §3.2.2 and §3.2.3, no user information.
    static func isAuthority(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.allSatisfy { byte in
            isToken(byte) && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "^") && byte != UInt8(ascii: "`")
                && byte != UInt8(ascii: "|") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "[")
                || byte == UInt8(ascii: "]")
        }
    }
}

extension UInt8 {
    /// Where the byte first occurs at or after `start`.
    func firstIndex(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(self), bytes.count - start) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}

extension UnsafeBufferPointer<UInt8> {
    func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[range])
    }

    /// The bytes without spaces and tabs at both ends.
    var trimmed: UnsafeBufferPointer<UInt8> {
        var start = 0
        var end = count
        while start < end, self[start] == ASCII.space || self[start] == ASCII.tab { start += 1 }
        while end > start, self[end - 1] == ASCII.space || self[end - 1] == ASCII.tab { end -= 1 }
        return slice(start..<end)
    }

    /// Calls `body` with each member of a comma-separated list, without white space around it; empty ones too.
    func forEachMember(
        _ body: (UnsafeBufferPointer<UInt8>) throws(HTTP1Error) -> Void
    ) throws(HTTP1Error) {
        var start = 0
        while let comma = UInt8(ascii: ",").firstIndex(in: self, from: start) {
            try body(slice(start..<comma).trimmed)
            start = comma + 1
        }
        try body(slice(start..<count).trimmed)
    }

    var text: String { String(decoding: self, as: UTF8.self) }

    /// - Returns: `true` when the bytes spell `word`, which is in lower case, in any case.
    func spells(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            indices.allSatisfy { ASCII.lowercased(self[$0]) == word[$0] }
        }
    }
}
