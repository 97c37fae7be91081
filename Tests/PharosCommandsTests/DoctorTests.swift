import Campaigns
import Testing
import Timekeeping

@testable import PharosCommands

@Suite struct `The doctor` {
    @Test(arguments: [("/nonexistent/zoneinfo", Finding.State.doubtful, true), (ZoneFolder.systemPath, .good, false)])
    func `says whether campaigns know time zones`(path: String, state: Finding.State, saysWhatToDo: Bool) throws {
        let checks = LocalChecks(dataDirectory: "/tmp", clock: SystemClock(), zones: ZoneFolder(path: path))
        let finding = try #require(checks.findings.first { $0.subject == "time zones" })
        #expect(finding.state == state && finding.nextStep.contains("tzdata") == saysWhatToDo)
    }
}
