import JSON
import PushCore
import PushModel
import Synchronization
import Testing
import Timekeeping

@testable import Campaigns

@Suite struct `The life of a campaign` {
    static let daily = #"{"kind":"DAILY","timeOfDay":"09:00"}"#

    @Test func `goes from draft to completed, and sends once`() async throws {
        let world = CampaignWorld()
        let campaign = try await world.published(#"{"kind":"AT","at":"2030-01-01T01:00"}"#)
        #expect(campaign.state == .scheduled)
        try await world.advance(3_599)
        #expect(world.sending.state.withLock(\.begun).isEmpty)
        try await world.advance(1)
        try await world.advance(86_400)
        #expect(world.sending.state.withLock(\.begun).count == 1)
        #expect(try world.campaign(campaign.id).state == .completed)
    }

    @Test func `sends at once when it is for now`() async throws {
        let world = CampaignWorld()
        let campaign = try await world.published(#"{"kind":"NOW"}"#)
        try await world.settle()
        #expect(world.sending.state.withLock(\.begun).map(\.target) == [.topic(TopicName("news")!)])
        #expect(try world.campaign(campaign.id).state == .completed)
    }

    @Test func `repeats until its end date`() async throws {
        let world = CampaignWorld()
        let campaign = try await world.published(#"{"kind":"DAILY","timeOfDay":"09:00","endDate":"2030-01-03"}"#)
        for _ in 0..<6 { try await world.advance(86_400) }
        #expect(world.sending.state.withLock(\.begun).count == 3)
        #expect(try world.campaign(campaign.id).state == .completed)
        #expect(try world.store.runs(of: campaign.id, before: nil, limit: 9).map(\.number) == [1, 2, 3])
    }

    @Test func `rests while it is paused, and takes up what it missed as its schedule says`() async throws {
        for (missed, expected) in [("SEND", 2), ("SKIP", 1)] {
            let world = CampaignWorld()
            let campaign = try await world.published(
                #"{"kind":"DAILY","timeOfDay":"09:00","ifMissed":"\#(missed)"}"#)
            try await world.advance(9 * 3600)
            _ = try await world.service.pause(campaign.id, in: world.project.number)
            try await world.advance(3 * 86_400 - 3600)
            #expect(world.sending.state.withLock(\.begun).count == 1)
            _ = try await world.service.resume(campaign.id, in: world.project.number)
            try await world.settle()
            #expect(world.sending.state.withLock(\.begun).count == expected)
            #expect(try world.campaign(campaign.id).state == .running)
        }
    }

    @Test func `ends when it is cancelled`() async throws {
        let world = CampaignWorld()
        let campaign = try await world.published(Self.daily)
        _ = try await world.service.cancel(campaign.id, in: world.project.number)
        try await world.advance(5 * 86_400)
        #expect(world.sending.state.withLock(\.begun).isEmpty)
        await #expect(throws: CampaignError.self) {
            try await world.service.resume(campaign.id, in: world.project.number)
        }
    }

    @Test func `fails with the reason when its message is refused for good`() async throws {
        let world = CampaignWorld()
        let campaign = try await world.published(Self.daily, target: #"{"device":"dead"}"#)
        world.sending.state.withLock { $0.dead = ["dead"] }
        try await world.advance(9 * 3600)
        let failed = try world.campaign(campaign.id)
        #expect(failed.state == .failed)
        #expect(failed.stateReason == SendError.unregistered.message)
        #expect(try world.store.runs(of: campaign.id, before: nil, limit: 9).map(\.result) == [.failed])
    }

    @Test func `is tried again when the store fails, and sends once all the same`() async throws {
        let world = CampaignWorld()
        _ = try await world.published(#"{"kind":"AT","at":"2030-01-01T01:00"}"#)
        world.store.state.withLock { $0.failures = 2 }
        world.clock.advance(seconds: 3600)
        while world.sending.state.withLock(\.begun).isEmpty {
            world.runner.wake()
            await Task.yield()
        }
        try await world.settle()
        #expect(world.sending.state.withLock(\.begun).count == 1)
    }

    @Test func `is planned anew when it is edited, by one who saw the last edit`() async throws {
        let world = CampaignWorld()
        let campaign = try await world.published(Self.daily)
        var content = campaign.content
        content.schedule = Schedule(.daily(LocalTime("12:00")!))
        let edited = try await world.service.edit(campaign.id, as: content, revision: 1, in: world.project)
        #expect(edited.revision == 2)
        #expect(edited.next?.at.rfc3339 == "2030-01-01T12:00:00Z")
        await #expect(throws: CampaignError.changedMeanwhile) {
            try await world.service.edit(campaign.id, as: content, revision: 1, in: world.project)
        }
    }

    @Test func `is copied as a draft`() async throws {
        let world = CampaignWorld()
        let campaign = try await world.published(Self.daily)
        let copy = try await world.service.duplicate(campaign.id, by: "bob", in: world.project.number)
        #expect(copy.state == .draft && copy.content.name == "n (copy)" && copy.createdBy == "bob")
        #expect(copy.content.schedule == campaign.content.schedule)
    }

    @Test(
        arguments: [
            (#"{"name":"n"}"#, ["notification.body", "target", "schedule"]),
            (
                #"{"name":"n","notification":{"body":"b"},"target":{"topic":"t"},"schedule":{"kind":"AT","at":"2029-01-01T00:00"}}"#,
                ["schedule"]
            ),
            (
                #"{"name":"n","notification":{"body":"b"},"target":{"topic":"t"},"schedule":{"kind":"DAILY","timeOfDay":"09:00","timeZone":"Mars/Olympus"}}"#,
                ["schedule.timeZone"]
            ),
            (
                #"{"name":"n","notification":{"body":"b"},"target":{"topic":"t"},"schedule":{"kind":"DAILY","timeOfDay":"09:00","timeZone":"RECIPIENT"}}"#,
                ["schedule.timeZone"]
            ),
        ] as [(String, [String])])
    func `begins only when nothing is missing`(text: String, fields: [String]) async throws {
        let world = CampaignWorld()
        let draft = try await world.service.create(Campaign.composed(text), by: "a", in: world.project.number)
        do throws(CampaignError) {
            _ = try await world.service.publish(draft.id, in: world.project)
            Issue.record("published")
        } catch {
            guard case .invalid(let violations) = error else { throw error }
            #expect(violations.map(\.field) == fields)
        }
    }

    @Test func `shows the next five times before it begins`() async throws {
        let world = CampaignWorld("2030-03-29T12:00:00Z")
        let content = try Campaign.composed(
            #"{"name":"n","notification":{"body":"b"},"target":{"topic":"t"},"schedule":{"kind":"DAILY","timeOfDay":"02:30","timeZone":"Europe/Berlin"}}"#
        )
        let (preview, times) = try world.service.preview(content, in: world.project)
        #expect(preview.violations.isEmpty)
        #expect(
            times.map(\.at.rfc3339) == [
                "2030-03-30T01:30:00Z", "2030-03-31T01:30:00Z", "2030-04-01T00:30:00Z", "2030-04-02T00:30:00Z",
                "2030-04-03T00:30:00Z",
            ])
    }

    @Test func `CON-09 sends tests to trimmed tokens and FIDs, and says what went wrong`() async throws {
        let world = CampaignWorld()
        world.sending.state.withLock { $0.dead = ["gone"] }
        let content = CampaignContent(name: "n", body: "b")
        let results = try await world.service.test(content, to: ["  token\n", "\tfid", "gone"], in: world.project)
        #expect(results.map(\.target) == ["  token\n", "\tfid", "gone"])
        let errors = results.map { result -> SendError.Kind? in
            if case .failure(let error) = result.outcome { error.kind } else { nil }
        }
        #expect(errors == [nil, nil, .unregistered])
        let sent = world.sending.state.withLock(\.sent)
        #expect(Set(sent.map(\.target)) == [.token("token"), .token("fid"), .token("gone")])
        #expect(sent.allSatisfy { $0.message.campaign == nil })
    }
}
