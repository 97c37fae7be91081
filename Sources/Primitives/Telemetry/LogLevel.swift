/// How much a log line matters.
public enum LogLevel: Int, Comparable, CaseIterable, Sendable {
    /// What every request and frame does.
    case trace
    /// What helps to find a fault.
    case debug
    /// What an operator wants to know once: started, stopped, imported.
    case info
    /// Something failed that the service copes with.
    case warning
    /// Something failed that needs an operator.
    case error
    /// Above all: a logger with this minimum is silent.
    case off

    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }

    /// `trace`, `debug`, `info`, `warning`, `error` or `off`.
    public init?(_ name: some StringProtocol) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    public var name: String {
        switch self {
        case .trace: "trace"
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        case .off: "off"
        }
    }
}
