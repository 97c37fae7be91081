/// A value of a message's payload: what JSON can say, numbers kept exact.
public enum PayloadValue: Sendable, Hashable {
    case string(String)
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case null
    case array([PayloadValue])
    case dictionary([String: PayloadValue])
}

extension PayloadValue {
    /// Reads a value of a `userInfo` dictionary. Apple's bridged numbers and Swift's own both work; a value that no
    /// payload can hold gives `nil`.
    public init?(any value: Any) {
        self.init(any: value, depth: 0)
    }

    /// Deeper payloads are cut off there: APNs allows 4 KB, so no honest one comes near.
    static let maximumDepth = 64

    private init?(any value: Any, depth: Int) {
        guard depth < Self.maximumDepth else { return nil }
        switch value {
        case let value as PayloadValue: self = value
        case let value as String: self = .string(value)
        case let value where PayloadNumber.isBoolean(value): self = .bool(value as? Bool ?? false)
        case let value as any FixedWidthInteger: self = Int64(exactly: value).map(PayloadValue.integer) ?? .null
        case let value as Int64: self = .integer(value)
        case let value as Double: self = .real(value)
        case let value as Float: self = .real(Double(value))
        case let value as [Any]: self = .array(value.compactMap { PayloadValue(any: $0, depth: depth + 1) })
        case let value as [AnyHashable: Any]: self = .dictionary(Self.entries(value, depth: depth + 1))
        default: return nil
        }
    }

    /// The entries of a `userInfo` dictionary that have text as key.
    public static func entries(_ dictionary: [AnyHashable: Any]) -> [String: PayloadValue] {
        entries(dictionary, depth: 0)
    }

    private static func entries(_ dictionary: [AnyHashable: Any], depth: Int) -> [String: PayloadValue] {
        var result: [String: PayloadValue] = [:]
        for (key, value) in dictionary {
            guard let name = key.base as? String, let value = PayloadValue(any: value, depth: depth) else { continue }
            result[name] = value
        }
        return result
    }

    /// The plain Swift value, for a `userInfo` dictionary.
    public var any: Any {
        switch self {
        case .string(let value): value
        case .bool(let value): value
        case .integer(let value): Int(truncatingIfNeeded: value)
        case .real(let value): value
        case .null: Optional<Any>.none as Any
        case .array(let values): values.map(\.any)
        case .dictionary(let entries): entries.mapValues(\.any)
        }
    }
}

extension PayloadValue {
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var array: [PayloadValue]? { if case .array(let value) = self { value } else { nil } }
    public var dictionary: [String: PayloadValue]? { if case .dictionary(let value) = self { value } else { nil } }

    /// A whole number, or text that spells one.
    public var wholeNumber: Int64? {
        switch self {
        case .integer(let value): value
        case .real(let value): Int64(exactly: value.rounded(.towardZero))
        case .string(let text): Int64(text)
        case .bool, .null, .array, .dictionary: nil
        }
    }

    /// True for `true`, a number that is not 0, and text that says so, as Foundation's `boolValue` reads them.
    public var isTrue: Bool {
        switch self {
        case .bool(let value): value
        case .integer(let value): value != 0
        case .real(let value): value != 0
        case .string(let text): ["1", "true", "yes", "y", "t"].contains(text.lowercased())
        case .null, .array, .dictionary: false
        }
    }
}

/// Tells booleans from numbers: Apple's bridging lets each pass for the other.
enum PayloadNumber {
    static func isBoolean(_ value: Any) -> Bool {
        #if canImport(Darwin)
            guard let number = value as? NSNumber else { return false }
            return CFGetTypeID(number) == CFBooleanGetTypeID()
        #else
            return value is Bool
        #endif
    }
}

#if canImport(Darwin)
    import Foundation
#endif
