import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Reported events in SQLite` {
    private let directory = TemporaryDirectory()

    private func event(
        _ project: Project, _ kind: ReportedEvent.Kind = .delivered, message: String = "1",
        instance: String = Sample.fid
    ) -> ReportedEvent {
        ReportedEvent(
            kind, project: project.number, messageID: message, instanceID: instance, messageType: .display,
            platform: .iOS, appName: Sample.bundle, topic: "/topics/news", analyticsLabel: "é", campaignID: -1,
            composerLabel: "c", occurredAt: .testStart.adding(seconds: -5))
    }

    @Test func `come back as they were, in order, to their project`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let other = try await Sample.project(store, "demo-other")
        var bare = event(project, .opened)
        (bare.topic, bare.analyticsLabel, bare.campaignID, bare.composerLabel) = (nil, nil, nil, nil)
        let given = [event(project), bare, event(project, .receivedInForeground)]
        #expect(try await store.keepReports(given + [event(other)], receivedAt: .testStart).count == 4)
        store.close()
        let again = try directory.open()
        let kept = try again.reports(of: project.number, after: 0, limit: 9)
        #expect(kept.map(\.event) == given)
        #expect(kept.allSatisfy { $0.receivedAt == .testStart })
        #expect(try again.reports(of: project.number, after: kept[0].id, limit: 1).map(\.event) == [bare])
        #expect(try again.reports(of: other.number, after: 0, limit: 9).count == 1)
        again.close()
    }

    @Test func `count once for a message, an instance and a kind`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let first = event(project)
        #expect(try await store.keepReports([first, first], receivedAt: .testStart) == [first])
        #expect(try await store.keepReports([first], receivedAt: .testStart).isEmpty)
        let others = [
            event(project, .opened), event(project, message: "2"), event(project, instance: Sample.otherFID),
        ]
        #expect(try await store.keepReports(others, receivedAt: .testStart) == others)
        #expect(try await store.keepReports([], receivedAt: .testStart).isEmpty)
        store.close()
    }

    @Test func `are kept for sixty days`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        _ = try await store.keepReports([event(project)], receivedAt: .testStart)
        let end = Timestamp.testStart.adding(seconds: 60 * 86_400)
        _ = try await store.keepReports([event(project, message: "2")], receivedAt: end)
        #expect(try store.reports(of: project.number, after: 0, limit: 9).count == 2)
        _ = try await store.keepReports([event(project, message: "3")], receivedAt: end.adding(milliseconds: 1))
        #expect(try store.reports(of: project.number, after: 0, limit: 9).map(\.event.messageID) == ["2", "3"])
        store.close()
    }

    @Test func `go with their project`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let other = try await Sample.project(store, "demo-other")
        _ = try await store.keepReports([event(project), event(other)], receivedAt: .testStart)
        try await store.deleteProject(project.number)
        #expect(try store.reports(of: project.number, after: 0, limit: 9).isEmpty)
        #expect(try store.reports(of: other.number, after: 0, limit: 9).count == 1)
        store.close()
    }
}
