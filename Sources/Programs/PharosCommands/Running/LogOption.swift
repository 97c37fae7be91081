import Telemetry
import Timekeeping

/// `--log-level`: structured log lines go to standard error.
enum LogOption {
    static let option = CommandOption.value(
        "log-level", "LEVEL", "What is logged to standard error: error, warning, info, debug, trace or off.",
        default: "info")

    static func logger(_ arguments: CommandArguments, clock: any WallClock) throws(CommandFailure) -> Logger {
        let name = arguments.value("log-level") ?? "info"
        guard let level = LogLevel(name) else {
            throw .usage("“\(name)” is no log level.", nextStep: "Choose error, warning, info, debug, trace or off.")
        }
        return Logger(minimum: level, clock: clock)
    }
}
