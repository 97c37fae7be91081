public import Bytes

/// The value of a field in a log line.
public enum LogValue: Sendable, Equatable {
    case string(String)
    case integer(Int64)
    case double(Double)
    case bool(Bool)

    /// A secret: shown as `«redacted»`.
    public init<Value>(_ secret: Secret<Value>) {
        self = .string(secret.description)
    }

    public init(_ value: some BinaryInteger) {
        self = Int64(exactly: value).map { .integer($0) } ?? .string("\(value)")
    }

    public init(_ value: Bool) {
        self = .bool(value)
    }

    public init(_ value: Double) {
        self = .double(value)
    }

    /// Any other value by its description.
    @_disfavoredOverload public init(_ value: some CustomStringConvertible) {
        self = .string(value.description)
    }

    /// An error by its description.
    public init(_ error: any Error) {
        self = .string("\(error)")
    }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    public init(floatLiteral value: Double) {
        self = .double(value)
    }

    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}
