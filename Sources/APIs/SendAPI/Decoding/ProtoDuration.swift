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
        let whole = text.utf8.dropLast().prefix { $0 != UInt8(ascii: ".") }
        let fraction = text.utf8.dropLast().dropFirst(whole.count).dropFirst()
        let isBelowZero = whole.first == UInt8(ascii: "-")
        guard Self.areDigits(isBelowZero ? whole.dropFirst() : whole), let seconds = Int64(Substring(whole)) else {
            throw Fault(text: "Invalid duration format, failed to parse seconds")
        }
        let hasFraction = text.utf8.count > whole.count + 1
        guard !hasFraction || fraction.count <= 9 && Self.areDigits(fraction) else {
            throw Fault(text: "Invalid duration format, failed to parse nano seconds")
        }
        guard seconds.magnitude <= Self.limitSeconds.magnitude else {
            throw Fault(text: "Duration value exceeds limits")
        }
        self.text = text
        self.seconds = seconds
        isNegative = isBelowZero && (seconds != 0 || fraction.contains { $0 != UInt8(ascii: "0") })
    }

    private static func areDigits(_ text: Substring.UTF8View) -> Bool {
        !text.isEmpty && text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
