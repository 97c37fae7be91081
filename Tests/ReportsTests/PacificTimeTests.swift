import PushModel
import Testing
import Timekeeping

@testable import Reports

@Suite struct `Days in California` {
    struct Row: Sendable, CustomTestStringConvertible {
        var time, day: String
        var testDescription: String { time }
    }

    static let rows = [
        Row(time: "2026-01-15T07:59:59.999Z", day: "2026-01-14"), Row(time: "2026-01-15T08:00:00Z", day: "2026-01-15"),
        Row(time: "2026-07-04T06:59:59Z", day: "2026-07-03"), Row(time: "2026-07-04T07:00:00Z", day: "2026-07-04"),
        // Summer begins on 8 March 2026 at 10:00 UTC, and ends on 1 November at 9:00 UTC.
        Row(time: "2026-03-08T07:59:59Z", day: "2026-03-07"), Row(time: "2026-03-08T08:00:00Z", day: "2026-03-08"),
        Row(time: "2026-03-09T06:59:59Z", day: "2026-03-08"), Row(time: "2026-03-09T07:00:00Z", day: "2026-03-09"),
        Row(time: "2026-11-01T06:59:59Z", day: "2026-10-31"), Row(time: "2026-11-01T07:00:00Z", day: "2026-11-01"),
        Row(time: "2026-11-02T07:59:59Z", day: "2026-11-01"), Row(time: "2026-11-02T08:00:00Z", day: "2026-11-02"),
        Row(time: "2025-03-09T07:59:59Z", day: "2025-03-08"), Row(time: "2025-03-10T07:00:00Z", day: "2025-03-10"),
        Row(time: "2024-12-31T23:00:00Z", day: "2024-12-31"), Row(time: "2025-01-01T07:59:00Z", day: "2024-12-31"),
    ]

    @Test(arguments: rows) func `begin at midnight there, in summer and in winter`(row: Row) throws {
        let time = try #require(Timestamp(rfc3339: row.time))
        let day = Timestamp(seconds: PacificTime.day(at: time) * 86_400)
        #expect(day.rfc3339.hasPrefix(row.day))
        #expect(PacificTime.day(of: MessageID(value: time.milliseconds * 1000)) == PacificTime.day(at: time))
    }

    @Test func `follow one another, whatever the hour`() {
        var last = PacificTime.day(at: Timestamp(seconds: 1_700_000_000))
        for hour in 0..<(24 * 800) {
            let day = PacificTime.day(at: Timestamp(seconds: 1_700_000_000 + Int64(hour) * 3600))
            #expect(day == last || day == last + 1)
            last = day
        }
    }
}
