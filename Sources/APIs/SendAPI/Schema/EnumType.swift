import JSON

/// The names of a proto enumeration by their numbers, counted from 0.
struct EnumType: Sendable {
    enum Value: Equatable {
        case name(String)
        /// A number without a name: legal in proto3, where enumerations are open.
        case number(Int32)
    }

    let url: String
    let names: [String]

    /// - Parameter name: Within `google.firebase.fcm.v1`.
    init(_ name: String, _ names: [String]) {
        url = fcmTypeURL(name)
        self.names = names
    }

    /// The value of a name in any case, with `-` for `_`, or of a number; a quoted number must have a name.
    func value(_ text: String, isNumber: Bool) -> Value? {
        if !isNumber, let name = names.first(where: { isSpelling(text, of: $0) }) { return .name(name) }
        guard let number = isNumber ? JSONNumber(literal: text)?.int64.flatMap(Int32.init(exactly:)) : Int32(text)
        else { return nil }
        if number >= 0, Int(number) < names.count { return .name(names[Int(number)]) }
        return isNumber ? .number(number) : nil
    }

    private func isSpelling(_ text: String, of name: String) -> Bool {
        text.utf8.count == name.utf8.count
            && zip(text.utf8, name.utf8).allSatisfy { byte, wanted in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"): byte & 0xDF == wanted
                case UInt8(ascii: "-"): wanted == UInt8(ascii: "_")
                default: byte == wanted
                }
            }
    }
}
