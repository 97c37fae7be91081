/// The members of an object in the order of their first appearance; a repeated name keeps its place and takes the
/// later value. Names are compared byte for byte, without Unicode normalisation.
public struct JSONObject: Sendable {
    public struct Member: Sendable, Equatable {
        public let name: String
        public var value: JSONValue

        public static func == (left: Member, right: Member) -> Bool {
            left.name.isSameText(as: right.name) && left.value == right.value
        }
    }

    public private(set) var members: [Member] = []

    public init() {}

    /// - Parameter members: In order; a repeated name takes the last value.
    public init(_ members: [(String, JSONValue)]) {
        for (name, value) in members { append(name, value) }
        removeDuplicates()
    }

    public var count: Int { members.count }
    public var isEmpty: Bool { members.isEmpty }
    public var names: [String] { members.map(\.name) }

    /// The value of a name. Setting replaces or appends it; `nil` removes it.
    public subscript(name: String) -> JSONValue? {
        get { position(of: name).map { members[$0].value } }
        set {
            switch (position(of: name), newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil): members.remove(at: position)
            case (nil, let value?): append(name, value)
            case (nil, nil): break
            }
        }
    }

    /// The value under the first of several spellings that is there and not null.
    public subscript(firstOf names: String...) -> JSONValue? {
        for name in names {
            if let value = self[name], value != .null { return value }
        }
        return nil
    }

    /// Takes a member away and returns its value.
    @discardableResult public mutating func remove(_ name: String) -> JSONValue? {
        position(of: name).map { members.remove(at: $0).value }
    }

    /// Adds a member without looking whether its name is there already.
    mutating func append(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
    }

    private func position(of name: String) -> Int? {
        members.firstIndex { $0.name.isSameText(as: name) }
    }
}

extension JSONObject {
    /// Gives each name its first place and its last value, in time proportional to the members.
    mutating func removeDuplicates() {
        guard members.count > 1, hasDuplicates else { return }
        var places: [ExactText: Int] = [:]
        var kept: [Member] = []
        for member in members {
            if let place = places[ExactText(text: member.name)] {
                kept[place].value = member.value
            } else {
                places[ExactText(text: member.name)] = kept.count
                kept.append(member)
            }
        }
        members = kept
    }

    private var hasDuplicates: Bool {
        guard members.count <= 8 else { return Set(members.map { ExactText(text: $0.name) }).count < members.count }
        return members.indices.contains { later in
            members[..<later].contains { $0.name.isSameText(as: members[later].name) }
        }
    }
}

extension JSONObject: Equatable {
    /// The same names with the same values, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members == right.members
            || left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }
}

extension JSONObject: Sequence {
    public func makeIterator() -> some IteratorProtocol<Member> {
        members.makeIterator()
    }
}

/// Text that hashes and compares by its bytes.
private struct ExactText: Hashable {
    let text: String

    static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.isSameText(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Equality of bytes: `==` alone would also equate different spellings of the same character.
    func isSameText(as other: String) -> Bool {
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}
