/// How the end of a body is found. Source: RFC 9112 §6.3.
public enum HTTP1BodyFraming: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
    /// Answers only: the body ends with the connection.
    case untilClose
}
