#if canImport(Darwin)
    import FirebasePlatform
    import os

    /// Log lines go to the unified log, subsystem `com.google.firebase`, with their code in front.
    struct UnifiedLog: LogSink {
        private let logger = Logger(subsystem: "com.google.firebase", category: "Firebase")

        func log(_ level: LogLevel, code: String, message: String) {
            logger.log(level: Self.type(of: level), "[\(code, privacy: .public)] \(message, privacy: .public)")
        }

        private static func type(of level: LogLevel) -> OSLogType {
            switch level {
            case .error, .warning: .error
            case .notice: .default
            case .info: .info
            case .debug: .debug
            }
        }
    }
#endif
