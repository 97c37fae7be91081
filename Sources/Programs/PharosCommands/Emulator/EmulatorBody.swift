import GoogleAPI
import JSON

/// The JSON body of an emulator call. A member of another type, or one that the call does not know, is refused: a
/// mistyped test should fail where it is wrong.
struct EmulatorBody {
    private(set) var members: JSONObject

    /// - Parameter names: The members that the call knows.
    init(_ request: RoutedRequest, _ names: String...) throws(GoogleError) {
        members = try JSONBody.object(of: request.request)
        for member in members.members where !names.contains(member.name) {
            let known = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw .invalidField(member.name, "\(member.name) is unknown; this call takes \(known).")
        }
    }

    func string(_ name: String) throws(GoogleError) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else { throw .invalidField(name, "\(name) must be a string.") }
        return text
    }

    func bool(_ name: String) throws(GoogleError) -> Bool? {
        guard let value = present(name) else { return nil }
        guard let flag = value.bool else { throw .invalidField(name, "\(name) must be true or false.") }
        return flag
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(GoogleError) -> Int64? {
        guard let value = present(name) else { return nil }
        guard let number = value.int64, range.contains(number) else {
            throw .invalidField(
                name, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// At most 64 texts; `nil` when absent.
    func list(_ name: String) throws(GoogleError) -> [String]? {
        guard let value = present(name) else { return nil }
        let texts = value.array?.compactMap(\.string)
        guard let texts, texts.count == value.array?.count, texts.count <= 64 else {
            throw .invalidField(name, "\(name) must be a list of at most 64 texts.")
        }
        return texts
    }

    /// An object whose values are all text; absent is empty.
    func texts(_ name: String) throws(GoogleError) -> [String: String] {
        guard let value = present(name) else { return [:] }
        var texts: [String: String] = [:]
        for member in value.object ?? [name: value] {
            guard let text = member.value.string else {
                throw .invalidField(name, "\(name) must be an object with texts as values.")
            }
            texts[member.name] = text
        }
        guard value.object != nil else {
            throw .invalidField(name, "\(name) must be an object with texts as values.")
        }
        return texts
    }

    /// `null` counts as absent.
    private func present(_ name: String) -> JSONValue? {
        guard let value = members[name], value != .null else { return nil }
        return value
    }

    mutating func set(_ name: String, _ value: JSONValue) { members[name] = value }
}
