import Bytes
import JSON
import Telemetry
import Testing
import Timekeeping

@Suite struct `A logger` {
    private let sink = MemoryLogSink(limit: 3)
    private var logger: Logger {
        Logger(source: "oauth", minimum: .info, sink: sink, clock: ManualClock(Timestamp(seconds: 1_700_000_000)))
    }

    @Test func `writes one object a line`() {
        logger.warning("a \"quoted\"\nline", ["port": 80, "on": true, "ratio": 0.5, "who": LogValue(UInt64.max)])
        #expect(
            sink.lines == [
                #"{"time":"2023-11-14T22:13:20Z","level":"warning","source":"oauth","message":"a \"quoted\"\nline","#
                    + #""port":80,"on":true,"ratio":0.5,"who":"18446744073709551615"}"# + "\n"
            ])
    }

    @Test func `builds nothing below the minimum`() {
        func message() -> String {
            Issue.record("built a message that nobody reads")
            return ""
        }
        logger.debug(message(), ["x": LogValue(message())])
        Logger.silent.error(message())
        #expect(sink.lines.isEmpty)
        #expect(!logger.isEnabled(.debug) && logger.isEnabled(.error) && !Logger.silent.isEnabled(.off))
    }

    @Test func `shows no secret`() throws {
        let secret = Secret("hunter2")
        logger.info("key \(secret)", ["key": LogValue(secret), "again": "\(secret)"])
        let line = try #require(sink.lines.first)
        #expect(!line.contains("hunter2"))
        #expect(line.contains("«redacted»"))
        #expect("\(String(reflecting: secret))\(Mirror(reflecting: secret).children.count)" == "«redacted»0")
    }

    @Test func `keeps the last lines only`() throws {
        for number in 0..<5 { logger.named("x").info("\(number)") }
        let messages = try sink.lines.map { try JSONValue(parsing: $0)["message"]?.string }
        #expect(messages == ["2", "3", "4"])
    }

    @Test func `names its levels`() {
        #expect(LogLevel("warning") == .warning && LogLevel("Warning") == nil && LogLevel("") == nil)
        #expect(LogLevel.allCases.allSatisfy { LogLevel($0.name) == $0 })
    }
}
