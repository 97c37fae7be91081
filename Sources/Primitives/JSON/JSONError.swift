/// Why a text is not JSON, and where.
public struct JSONError: Error, Equatable, Sendable {
    /// What the grammar asks for at a place.
    public enum Expectation: Equatable, Sendable {
        case value, keyOrObjectEnd, key, colon, commaOrObjectEnd, valueOrArrayEnd, commaOrArrayEnd
    }

    public enum Kind: Equatable, Sendable {
        /// The text stops where something was still to come.
        case unexpectedEnd(Expectation)
        /// Another character stands where this was to come.
        case expected(Expectation)
        /// A word other than `true`, `false` and `null`.
        case unexpectedToken
        /// A well-formed value of another kind than the one asked for.
        case mismatch(wanted: JSONKind)
        case unterminatedString, unescapedControlCharacter, invalidEscape, invalidHexEscape
        /// Half of a surrogate pair: it names no character, and UTF-8 cannot hold it.
        case loneSurrogate
        case invalidUTF8
        case invalidNumber, numberTooLong
        case tooDeep, tooLarge
        /// More text follows the whole value.
        case trailingContent
    }

    public var kind: Kind
    /// Bytes before the place.
    public var offset: Int

    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

/// The kind of a value, as its first byte shows it.
public enum JSONKind: Equatable, Sendable {
    case object, array, string, number, bool, null
}
