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

    /// Characters of a token: letters, digits and ``!#$%&'*+-.^_`|~``.
    static func isToken(_ byte: UInt8) -> Bool {
        let mask: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : byte < 128 ? 0x57FF_FFFF_C7FF_FFFE : 0
        return mask >> UInt64(byte & 63) & 1 == 1
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Characters of a field value: visible ones, space, tab and bytes above ASCII.
    static func isFieldValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var isBad = false
        for byte in bytes { isBad = isBad || byte < 0x20 && byte != tab || byte == 0x7F }
        return !isBad
    }

    /// Characters of a request target: visible ASCII without the fragment mark.
    static func isTarget(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var isBad = false
        for byte in bytes { isBad = isBad || byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "#") }
        return !isBad
    }

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

    var text: String { String(decoding: self, as: UTF8.self) }

    /// - Returns: `true` when the bytes spell `word`, which is in lower case, in any case.
    func spells(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            indices.allSatisfy { ASCII.lowercased(self[$0]) == word[$0] }
        }
    }
}
