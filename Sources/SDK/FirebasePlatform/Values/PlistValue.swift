#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A property-list value with its type kept.
public enum PlistValue: Sendable, Hashable {
    case string(String)
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case date(Date)
    case data([UInt8])
    case array([PlistValue])
    case dictionary([String: PlistValue])
}

extension PlistValue {
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    public var bytes: [UInt8]? { if case .data(let value) = self { value } else { nil } }
    public var dictionary: [String: PlistValue]? { if case .dictionary(let value) = self { value } else { nil } }

    /// A boolean or a number, as `NSNumber` reads it; text is no flag.
    public var flag: Bool? {
        switch self {
        case .bool(let value): value
        case .integer(let value): value != 0
        case .real(let value): value != 0
        case .string, .date, .data, .array, .dictionary: nil
        }
    }

    /// As `flag`, and the words that hand-made files use: YES, NO, true, false, 1, 0 in any case.
    public var lenientFlag: Bool? {
        guard case .string(let text) = self else { return flag }
        return switch text.lowercased() {
        case "yes", "true", "1": true
        case "no", "false", "0": false
        default: nil
        }
    }
}

extension PlistValue: Decodable {
    /// Reads an XML or binary property list whose root is a dictionary. `nil` for anything else.
    public static func dictionary(parsing bytes: [UInt8]) -> [String: PlistValue]? {
        guard !bytes.isEmpty, bytes.count <= maximumBytes else { return nil }
        return try? PropertyListDecoder().decode([String: PlistValue].self, from: Data(bytes))
    }

    /// Larger files are refused unread.
    public static let maximumBytes = 4 << 20

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else if let value = try? container.decode(Date.self) {
            self = .date(value)
        } else if let value = try? container.decode(Data.self) {
            self = .data(Array(value))
        } else if let value = try? container.decode([PlistValue].self) {
            self = .array(value)
        } else {
            self = .dictionary(try container.decode([String: PlistValue].self))
        }
    }
}

extension PlistValue: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(Data(value))
        case .array(let value): try container.encode(value)
        case .dictionary(let value): try container.encode(value)
        }
    }
}
