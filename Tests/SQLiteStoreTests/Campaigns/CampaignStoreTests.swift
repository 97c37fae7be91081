import Campaigns
import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Campaigns in the store` {
    let directory = TemporaryDirectory()

    static func occurrence(_ seconds: Int64, _ audience: Occurrence.Audience = .everyone) -> Occurrence {
        Occurrence(
            at: Timestamp.testStart.adding(seconds: seconds), local: LocalDateTime(secondsSince1970: seconds),
            audience: audience)
    }

    static func campaign(_ project: Project, next: Occurrence? = nil, state: Campaign.State = .draft) -> Campaign {
        Campaign(
            id: CampaignID(value: 0), project: project.number, state: state,
            content: CampaignContent(
                name: "Spring 😀", title: "<b>", body: "b\n\"", target: .topic(TopicName("news")!),
                schedule: Schedule(.daily(LocalTime("09:00")!), zone: .named("Europe/Berlin"))),
            createdAt: .testStart, createdBy: "ann", updatedAt: .testStart, next: next)
    }

    static func scheduled(
        _ store: SQLiteStore, _ project: Project, due: Occurrence = occurrence(60)
    ) async throws -> Campaign {
        var campaign = try await store.addCampaign(campaign(project))
        campaign.state = .scheduled
        campaign.publishedAt = .testStart
        campaign.next = due
        return try #require(try await store.replaceCampaign(campaign))
    }

    @Test func `come back as they were stored, after a restart too`() async throws {
        var store = try directory.open()
        let project = try await Sample.project(store)
        let stored = try await Self.scheduled(store, project, due: Self.occurrence(9, .zones(["Asia/Kolkata", "UTC"])))
        store.close()
        store = try directory.open()
        #expect(try store.campaign(stored.id, in: project.number) == stored)
        #expect(try store.campaign(stored.id, in: ProjectNumber(value: 1)) == nil)
    }

    @Test func `are changed only by who saw the last change`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let first = try await store.addCampaign(Self.campaign(project))
        #expect(try await store.replaceCampaign(first)?.version == 2)
        #expect(try await store.replaceCampaign(first) == nil)
    }

    @Test func `are listed newest first, page by page`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        for _ in 0..<5 { _ = try await store.addCampaign(Self.campaign(project)) }
        let first = try store.campaigns(of: project.number, in: nil, before: nil, limit: 3)
        let second = try store.campaigns(of: project.number, in: nil, before: first.last?.id, limit: 3)
        #expect((first + second).map(\.id.value) == [5, 4, 3, 2, 1])
    }

    @Test func `are listed by state`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        for state in [Campaign.State.draft, .paused, .draft, .failed, .draft] {
            var campaign = Self.campaign(project)
            campaign.state = state
            _ = try await store.addCampaign(campaign)
        }
        let drafts = try store.campaigns(of: project.number, in: .draft, before: nil, limit: 2)
        let rest = try store.campaigns(of: project.number, in: .draft, before: drafts.last?.id, limit: 2)
        #expect((drafts + rest).map(\.id.value) == [5, 3, 1])
        #expect(try store.campaigns(of: project.number, in: .paused, before: nil, limit: 9).map(\.id.value) == [2])
        #expect(try store.campaigns(of: project.number, in: .cancelled, before: nil, limit: 9).isEmpty)
    }

    @Test func `are due when their time has come and they are active`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        var campaign = try await Self.scheduled(store, project)
        #expect(try store.nextCampaignDue() == Timestamp.testStart.adding(seconds: 60))
        #expect(try store.dueCampaigns(at: Timestamp.testStart.adding(seconds: 59), limit: 9).isEmpty)
        #expect(try store.dueCampaigns(at: Timestamp.testStart.adding(seconds: 60), limit: 9) == [campaign])
        campaign.state = .paused
        _ = try await store.replaceCampaign(campaign)
        #expect(try store.nextCampaignDue() == nil)
    }

    /// The run, the next time and the message stand or fall together, so a killed process neither repeats nor loses one.
    @Test func `run once with their message, whatever happens in between`() async throws {
        var store = try directory.open()
        let project = try await Sample.project(store)
        let campaign = try await Self.scheduled(store, project)
        var after = campaign
        after.next = Self.occurrence(86_460)
        after.state = .running
        after.runs = 1
        var message = Sample.message(project, id: 7)
        message.target = .segment(Segment([.isApple(true)]))
        message.message.campaign = CampaignMark(
            id: campaign.id.value, label: "a'; --", time: .testStart, usesRecipientTime: true, tracksConversions: true)
        let run = CampaignRun(
            number: 1, due: Self.occurrence(60), ranAt: .testStart, result: .accepted, message: message.id)
        #expect(try await store.acceptRun(run, of: after, sending: message))
        #expect(try await !store.acceptRun(run, of: after, sending: Sample.message(project, id: 8)))
        store.close()
        store = try directory.open()
        #expect(try store.openFanOuts().map(\.message) == [message])
        #expect(try store.runs(of: campaign.id, before: nil, limit: 9).map(\.number) == [1])
        #expect(try store.campaign(campaign.id, in: project.number)?.next == Self.occurrence(86_460))
        #expect(try store.counts(of: campaign.id).isSplitting)
        // The same time never runs again, even by somebody who read the campaign anew.
        var again = try #require(try store.campaign(campaign.id, in: project.number))
        again.runs = 2
        var second = run
        second.number = 2
        let repeated = again
        await #expect(throws: StoreError.self) {
            try await store.acceptRun(second, of: repeated, sending: Sample.message(project, id: 9))
        }
        #expect(try store.openFanOuts().map(\.message.id) == [message.id])
    }

    @Test func `keep their newest thousand runs`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        var campaign = try await Self.scheduled(store, project)
        for number in [1, 2, 3, WriteContext.keptRuns + 2] {
            campaign.runs = number
            let run = CampaignRun(
                number: number, due: Self.occurrence(60 * number), ranAt: .testStart, result: .skipped, message: nil)
            #expect(try await store.acceptRun(run, of: campaign, sending: nil))
            campaign = try #require(try store.campaign(campaign.id, in: project.number))
        }
        let left = try store.runs(of: campaign.id, before: nil, limit: 9).map(\.number)
        #expect(left == [WriteContext.keptRuns + 2, 3])
    }

    @Test func `keep the counts of runs when fan-outs are forgotten`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let campaign = try await Self.scheduled(store, project)
        var message = Sample.message(project, id: 7)
        message.target = .segment(Segment([]))
        let registration = try await store.register(Sample.draft(project))
        let run = CampaignRun(
            number: 1, due: Self.occurrence(60), ranAt: .testStart, result: .accepted, message: message.id)
        #expect(try await store.acceptRun(run, of: campaign, sending: message))
        let chunk = FanOutChunk(members: [registration.id], cursor: registration.id, isLast: true)
        let deliveries = try #require(try await store.extendFanOut(message.id, by: chunk))
        store.finish([Sample.finished(deliveries[0], of: message, registration: registration.id)])
        try await store.settle()
        try await store.writer.write { (context) throws(StoreError) in
            try context.pruneFanOuts(before: Timestamp.testStart.adding(seconds: 1))
        }
        let counts = try store.counts(of: campaign.id)
        #expect(counts.targeted == 1 && counts.sent == 1 && !counts.isSplitting)
    }

    @Test func `go with their project`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let campaign = try await Self.scheduled(store, project)
        #expect(try await store.deleteCampaign(campaign.id, in: project.number))
        #expect(try await !store.deleteCampaign(campaign.id, in: project.number))
        _ = try await Self.scheduled(store, project)
        try await store.deleteProject(project.number)
        #expect(try store.nextCampaignDue() == nil)
    }
}
