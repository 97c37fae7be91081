public enum LogLevel: Int, Sendable, Comparable {
    case error, warning, notice, info, debug

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Where log lines go. `code` is `I-` and three letters, then six digits: what people search for.
public protocol LogSink: Sendable {
    func log(_ level: LogLevel, code: String, message: String)
}
