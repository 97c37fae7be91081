/// Any JSON value.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    public var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    public var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    public var int64: Int64? { number?.int64 }
    public var uint64: UInt64? { number?.uint64 }
    public var double: Double? { number?.double }

    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The value of a name; `nil` when there is none or this is no object.
    public subscript(name: String) -> JSONValue? {
        object?[name]
    }

    /// The element at a place; `nil` when there is none or this is no array.
    public subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension JSONValue: Equatable {
    /// Strings are compared byte for byte, numbers by their literal, objects in any order.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.isSameText(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}
