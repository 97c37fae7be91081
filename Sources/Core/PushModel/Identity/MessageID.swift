/// The id of an accepted message: microseconds since 1970 at acceptance, made unique by the store. 16 decimal digits.
///
/// Source: the digits-only form that Apple payloads carry as `gcm.message_id`.
public struct MessageID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let value: Int64

    public init(value: Int64) {
        self.value = value
    }

    /// `nil` unless the text is a positive decimal number.
    public init?(_ text: some StringProtocol) {
        guard let value = Int64(text), value > 0, text.utf8.allSatisfy(\.isDigit) else { return nil }
        self.value = value
    }

    public var description: String { String(value) }

    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}
