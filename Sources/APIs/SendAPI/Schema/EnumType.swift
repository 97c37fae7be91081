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
        if let number = Int32(text) {
            if number >= 0, Int(number) < names.count { return .name(names[Int(number)]) }
            return isNumber ? .number(number) : nil
        }
        guard !isNumber else { return nil }
        let name = text.uppercased().replacing("-", with: "_")
        return names.contains(name) ? .name(name) : nil
    }
}
