public import PushModel

/// Why a body is not the JSON form of a request: the syntax, an unknown name, a value of another type.
///
/// Says nothing about the target, so a sender must not forget a token for it. Source: the words of Google's JSON front
/// end (protobuf, `json_util`).
public struct RequestFormatError: Error, Sendable, Equatable {
    /// One description a line.
    public var message: String
    /// Each fault; `field` is empty when the fault is at the top level or in the syntax.
    public var violations: [SendError.Violation]

    public init(violations: [SendError.Violation]) {
        message = violations.map(\.description).joined(separator: "\n")
        self.violations = violations
    }
}

/// Why a body does not make a request to send.
public enum SendRequestRefusal: Error, Sendable, Equatable {
    case malformed(RequestFormatError)
    case refused(SendError)
}
