/// A number as it was written, so that it passes through unchanged whatever its size.
public struct JSONNumber: Hashable, Sendable {
    /// The text of the number: `12`, `-0.5`, `1e3`.
    public let literal: String

    /// - Parameter literal: Checked by the cursor.
    init(checked literal: String) {
        self.literal = literal
    }

    public init(_ value: some FixedWidthInteger) {
        literal = value.description
    }

    /// `nil` for infinities and NaN, which JSON cannot write.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        literal = value.description
    }

    /// `nil` unless the text is a number literal of RFC 8259 §6.
    public init?(literal: String) {
        let number = try? JSONCursor.read(Array(literal.utf8)) { (cursor) throws(JSONError) -> JSONNumber in
            let number = try cursor.readNumber()
            try cursor.end()
            return number
        }
        guard let number, number.literal.utf8.count == literal.utf8.count else { return nil }
        self = number
    }

    /// The exact value, when it is a whole number in range; `5.0` and `1e3` are whole too.
    public var int64: Int64? {
        Int64(literal) ?? wholeDouble.map { Int64($0) }
    }

    /// The exact value, when it is a whole number in range.
    public var uint64: UInt64? {
        UInt64(literal) ?? wholeDouble.flatMap { UInt64(exactly: $0) }
    }

    /// The nearest double; `nil` when the number is beyond its range.
    public var double: Double? {
        Double(literal).flatMap { $0.isFinite ? $0 : nil }
    }

    /// A literal with a fraction or exponent that is a whole number which doubles hold exactly.
    private var wholeDouble: Double? {
        guard literal.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }),
            let double, double.magnitude <= 9_007_199_254_740_992, double.rounded(.towardZero) == double
        else { return nil }
        return double
    }
}
