/// A length of time in the JSON form of protocol buffers: `-?[0-9]+(\.[0-9]{1,9})?s`.
///
/// Source: protobuf, `google/protobuf/duration.proto` (about ±10,000 years).
struct ProtoDuration: Equatable {
    /// Why a text is not a duration.
    struct Fault: Error {
        var text: String
    }

    static let limitSeconds: Int64 = 315_576_000_000

    /// As it was written.
    let text: String
    /// Whole seconds, cut off towards zero.
    var seconds: Int64
    /// Whether the duration is below zero, also when its whole seconds are 0.
    var isNegative: Bool

    init(_ text: String) throws(Fault) {
        guard text.utf8.last == UInt8(ascii: "s") else {
            throw Fault(text: "Illegal duration format; duration must end with 's'")
        }
        let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = parts.first ?? ""
        let digits = whole.hasPrefix("-") ? whole.dropFirst() : whole
        guard Self.areDigits(digits), let seconds = Int64(whole) else {
            throw Fault(text: "Invalid duration format, failed to parse seconds")
        }
        let fraction = parts.count > 1 ? parts[1] : "0"
        guard fraction.utf8.count <= 9, Self.areDigits(fraction) else {
            throw Fault(text: "Invalid duration format, failed to parse nano seconds")
        }
        guard seconds.magnitude <= Self.limitSeconds.magnitude else {
            throw Fault(text: "Duration value exceeds limits")
        }
        self.text = text
        self.seconds = seconds
        isNegative = whole.hasPrefix("-") && (seconds != 0 || fraction.utf8.contains { $0 != UInt8(ascii: "0") })
    }

    private static func areDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
