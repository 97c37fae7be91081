import PushModel
import Testing

@testable import SQLiteStore

@Suite("A tally")
struct ReportTallyTests {
    private let place = ReportTally.Place(project: 1, day: 20_000, app: 2, label: 0, campaign: 0)

    private func written(_ tally: ReportTally) throws -> [String] {
        let connection = try Connection(path: ":memory:", access: .readWrite)
        try connection.execute(
            """
            CREATE TABLE report_counts (project, calendar, day, app, label, campaign, measure, count);
            CREATE UNIQUE INDEX places ON report_counts (project, calendar, day, app, label, campaign, measure);
            """)
        try tally.write(to: connection, today: 20_000)
        return try connection.all("SELECT calendar, measure, count FROM report_counts ORDER BY 1, 2") {
            "\($0.integer(0)) \($0.integer(1)) \($0.integer(2))"
        }
    }

    @Test func `sums up what was counted at one place, near and far apart`() throws {
        var tally = ReportTally()
        for number in 0..<9 {
            tally.count(.ended(OutcomeCode.allCases[number % OutcomeCode.allCases.count]), at: place)
        }
        tally.removeAll()
        for measure in [ReportMeasure.targeted, .sent, .accepted, .received, .displayed, .opened, .targeted] {
            tally.count(measure, at: place, by: 2)
        }
        #expect(try written(tally) == ["0 1 4", "0 2 2", "0 3 2", "0 4 2", "0 5 2", "0 6 2"])
    }

    @Test func `counts days of both calendars`() throws {
        var tally = ReportTally()
        var android = place
        android.pacificDay = 19_999
        tally.count(.sent, at: android)
        #expect(try written(tally) == ["0 2 1", "1 2 1"])
    }

    @Test func `takes back what a job counted, and nothing of the job before`() throws {
        var tally = ReportTally()
        tally.beginJob()
        tally.count(.sent, at: place)
        tally.beginJob()
        tally.count(.sent, at: place)
        tally.count(.opened, at: place)
        tally.undoJob()
        tally.beginJob()
        tally.count(.sent, at: place)
        #expect(try written(tally) == ["0 2 2"])
    }
}
