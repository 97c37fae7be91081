import JSON
import Timekeeping

/// Reads the members of a JSON command and refuses what it does not know, so that a misspelt member is not taken for an
/// absent one.
struct MemberReader {
    private let object: JSONObject
    private let path: String
    private var unread: Set<String>

    init(_ object: JSONObject, path: String = "") {
        self.object = object
        self.path = path
        unread = Set(object.names)
    }

    init(_ value: JSONValue?, path: String) throws(ControlError) {
        guard let object = value?.object else { throw ControlError(path, "must be an object") }
        self.init(object, path: path)
    }

    func name(of member: String) -> String {
        path.isEmpty ? member : "\(path).\(member)"
    }

    /// The member, unless it is absent or null.
    mutating func value(_ member: String) -> JSONValue? {
        unread.remove(member)
        guard let value = object[member], value != .null else { return nil }
        return value
    }

    private mutating func read<Value>(
        _ member: String, as kind: String, _ convert: (JSONValue) -> Value?
    ) throws(ControlError) -> Value? {
        guard let value = value(member) else { return nil }
        guard let converted = convert(value) else { throw ControlError(name(of: member), "must be \(kind)") }
        return converted
    }

    mutating func string(_ member: String) throws(ControlError) -> String? {
        try read(member, as: "a string") { $0.string }
    }

    mutating func requiredString(_ member: String) throws(ControlError) -> String {
        guard let text = try string(member), !text.isEmpty else {
            throw ControlError(name(of: member), "is required")
        }
        return text
    }

    mutating func bool(_ member: String) throws(ControlError) -> Bool? {
        try read(member, as: "true or false") { $0.bool }
    }

    /// A whole number; a string of digits counts too.
    mutating func integer(_ member: String, in range: ClosedRange<Int64>) throws(ControlError) -> Int64? {
        try read(member, as: "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
            guard let number = value.int64 ?? value.string.flatMap({ Int64($0) }), range.contains(number) else {
                return nil
            }
            return number
        }
    }

    /// A whole number that 31 bits hold.
    mutating func count(_ member: String, from lowest: Int64 = 0) throws(ControlError) -> Int? {
        try integer(member, in: lowest...Int64(Int32.max)).map { Int($0) }
    }

    mutating func double(_ member: String, in range: ClosedRange<Double>) throws(ControlError) -> Double? {
        try read(member, as: "a number from \(range.lowerBound) to \(range.upperBound)") { value in
            value.double.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    mutating func strings(_ member: String) throws(ControlError) -> [String]? {
        try read(member, as: "a list of strings") { value in
            guard let list = value.array else { return nil }
            let texts = list.compactMap(\.string)
            return texts.count == list.count ? texts : nil
        }
    }

    mutating func environment(_ member: String = "environment") throws(ControlError) -> SimulatedEnvironment? {
        try read(member, as: "\"sandbox\" or \"production\"") {
            $0.string.flatMap(SimulatedEnvironment.init(rawValue:))
        }
    }

    /// - Throws: When a member is left that nobody asked for.
    func finish() throws(ControlError) {
        guard let stranger = object.names.first(where: unread.contains) else { return }
        throw ControlError(name(of: stranger), "is not known here")
    }
}
