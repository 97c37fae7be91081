internal import JSON
public import Timekeeping

/// Writes one JSON object a line: `{"time":…,"level":…,"source":…,"message":…}` and the fields of the call.
///
/// A level below the minimum costs one comparison: message and fields are not even built. Values of type `Secret` come
/// out as `«redacted»`, in messages too.
public struct Logger: Sendable {
    /// Which part of the service speaks.
    public let source: String
    public let minimum: LogLevel
    private let sink: any LogSink
    private let clock: any WallClock

    public init(
        source: String = "pharos", minimum: LogLevel = .info, sink: any LogSink = DescriptorLogSink(),
        clock: any WallClock = SystemClock()
    ) {
        self.source = source
        self.minimum = minimum
        self.sink = sink
        self.clock = clock
    }

    /// Says nothing.
    public static let silent = Logger(minimum: .off)

    /// The same logger for another part.
    public func named(_ source: String) -> Logger {
        Logger(source: source, minimum: minimum, sink: sink, clock: clock)
    }

    public func isEnabled(_ level: LogLevel) -> Bool {
        level >= minimum && level != .off
    }

    public func log(
        _ level: LogLevel, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        guard isEnabled(level) else { return }
        write(level, message(), fields())
    }

    public func trace(
        _ message: @autoclosure () -> String, _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        log(.trace, message(), fields())
    }

    public func debug(
        _ message: @autoclosure () -> String, _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        log(.debug, message(), fields())
    }

    public func info(
        _ message: @autoclosure () -> String, _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        log(.info, message(), fields())
    }

    public func warning(
        _ message: @autoclosure () -> String, _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        log(.warning, message(), fields())
    }

    public func error(
        _ message: @autoclosure () -> String, _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        log(.error, message(), fields())
    }

    private func write(_ level: LogLevel, _ message: String, _ fields: KeyValuePairs<String, LogValue>) {
        var line = JSONWriter()
        line.beginObject()
        line.member("time", clock.now().rfc3339)
        line.member("level", level.name)
        line.member("source", source)
        line.member("message", message)
        for (name, value) in fields { line.append(name, value) }
        line.endObject()
        sink.write(line.bytes + [UInt8(ascii: "\n")])
    }
}

extension JSONWriter {
    fileprivate mutating func append(_ name: String, _ value: LogValue) {
        key(name)
        switch value {
        case .string(let text): string(text)
        case .integer(let number): integer(number)
        case .double(let number): double(number)
        case .bool(let flag): bool(flag)
        }
    }
}
