import PushCore
import PushModel
import Reports
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `An export of events` {
    @Test func `has deliveries and reports, page by page`() async throws {
        let scene = try await ReportScene()
        for _ in 0..<5 {
            let message = scene.message()
            let ids = try await scene.accept(message, for: [scene.phone])
            try await scene.end(ids[0], message, scene.phone)
            try await scene.report(.delivered, message, scene.phone)
        }
        let query = ExportQuery(
            project: scene.project.number, from: .testStart, to: Timestamp.testStart.adding(seconds: 1))
        var events: [ExportedEvent] = []
        var place: ExportPlace?
        var pages = 0
        repeat {
            let page = try scene.store.exportedEvents(query, after: place, limit: 2)
            events += page.events
            place = page.next
            pages += 1
        } while place != nil
        #expect(pages > 5)
        #expect(
            events.map(\.event) == Array(repeating: "MESSAGE_ACCEPTED", count: 5)
                + Array(repeating: "MESSAGE_DELIVERED", count: 5))
        let first = try #require(events.first)
        #expect(
            first.instanceID == Sample.fid && first.platform == "IOS" && first.messageType == "DISPLAY_NOTIFICATION")
        #expect(first.label == "spring" && first.priority == 10 && first.timeToLive == 3600)
        let earlier = ExportQuery(project: scene.project.number, from: Timestamp(milliseconds: 0), to: .testStart)
        #expect(try scene.store.exportedEvents(earlier, after: nil, limit: 100).events.isEmpty)
    }
}
