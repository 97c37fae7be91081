import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Upkeep of registrations` {
    private static let day: Int64 = 86_400

    /// Days pass without anything, then upkeep runs to its end in steps.
    private func keepUp(_ scene: InboxScene, afterDays days: Int64 = 0) async throws -> (expired: Int, forgotten: Int) {
        scene.clock.set(scene.clock.now().adding(seconds: days * Self.day))
        var sum = (expired: 0, forgotten: 0)
        var place: RegistrationID? = RegistrationID(value: 0)
        while let current = place {
            let step = try await scene.store.keepUpRegistrations(
                after: current, rows: 2, RegistrationRetention(at: scene.clock.now()))
            sum.expired += step.expired
            sum.forgotten += step.forgotten
            place = step.next
        }
        return sum
    }

    private static let site = Registration.Channel.web(
        endpoint: "https://push.example.com/1", p256dh: "p", auth: "a", applicationKey: "k")

    static let rows: [(name: String, channel: Registration.Channel, device: UInt64, days: Int64, isExpired: Bool)] = [
        ("an app that was not seen for 271 days", .device, 42, 271, true),
        ("one that was not seen for 269 days", .device, 42, 269, false),
        ("one of no device", .device, 0, 10_000, false),
        ("an Apple app", .apple(Sample.address(1)), 42, 10_000, false),
        ("an Apple app without a token", .apple(nil), 42, 10_000, false),
        ("a site", site, 42, 10_000, false),
    ]

    @Test(arguments: rows.indices) func `gives up apps whose device was not seen, and no others`(row: Int) async throws
    {
        let row = Self.rows[row]
        let scene = try await InboxScene()
        let registration = try await scene.register(row.device, channel: row.channel)
        #expect(try await keepUp(scene, afterDays: row.days).expired == (row.isExpired ? 1 : 0), "\(row.name)")
        #expect(try scene.store.registration(registration.id)?.ending == (row.isExpired ? .expired : nil))
    }

    @Test func `keeps apps whose device checks in or connects`() async throws {
        let scene = try await InboxScene()
        let devices: [UInt64] = [42, 43, 44]
        for device in devices {
            try await scene.store.addDevice(
                DeviceCredentials(androidID: device, securityToken: 1), at: scene.clock.now())
            _ = try await scene.register(device)
        }
        scene.clock.set(scene.clock.now().adding(seconds: 200 * Self.day))
        try await scene.store.noteConnection(of: 42, at: scene.clock.now())
        let other = DeviceCredentials(androidID: 43, securityToken: 1)
        #expect(try await scene.store.confirmDevice(other, at: scene.clock.now()))
        #expect(try await keepUp(scene, afterDays: 100).expired == 1)
        let kept = try devices.map { try scene.store.liveRegistrations(ofDevice: $0).count }
        #expect(kept == [1, 1, 0])
        #expect(try await keepUp(scene, afterDays: 171).expired == 2)
    }

    @Test func `takes topics from what it gives up`() async throws {
        let scene = try await InboxScene()
        let registration = try await scene.register()
        let news = try #require(TopicName("news"))
        _ = try await scene.store.subscribe(
            [registration.id], to: news, in: scene.project.number, at: scene.clock.now())
        _ = try await keepUp(scene, afterDays: 300)
        #expect(try scene.count("SELECT count(*) FROM topic_lists") == 0)
    }

    @Test func `forgets what ended sixty days ago, with all that belongs to it`() async throws {
        let scene = try await InboxScene()
        var ended: [Registration] = []
        for (number, channel) in [(42, .device), (43, Self.site), (44, .apple(Sample.address(1)))]
            as [(UInt64, Registration.Channel)]
        {
            ended.append(try await scene.register(number, channel: channel))
        }
        let living = try await scene.register(45)
        _ = try await scene.store.createGroup(
            named: "g", members: ended.map(\.id) + [living.id], in: scene.project.number, at: scene.clock.now())
        for registration in ended {
            try await scene.store.end(registration.id, .deletedByApp, at: scene.clock.now())
        }
        #expect(try await keepUp(scene, afterDays: 60).forgotten == 0)
        #expect(try await keepUp(scene, afterDays: 1).forgotten == 3)
        for registration in ended { #expect(try scene.store.registration(registration.id) == nil) }
        #expect(try scene.store.registration(living.id)?.ending == nil)
        #expect(try scene.count("SELECT count(*) FROM web_subscriptions") == 0)
        #expect(try scene.count("SELECT count(*) FROM device_group_members") == 1)
        #expect(try await keepUp(scene).forgotten == 0)
        let next = try await scene.register(46)
        #expect(next.id > living.id, "no number is given out twice")
    }

    @Test func `looks at no more than it is told to`() async throws {
        let scene = try await InboxScene()
        for device in 1...10 as ClosedRange<UInt64> { _ = try await scene.register(device) }
        scene.clock.set(scene.clock.now().adding(seconds: 300 * Self.day))
        let retention = RegistrationRetention(at: scene.clock.now())
        let step = try await scene.store.keepUpRegistrations(after: RegistrationID(value: 0), rows: 4, retention)
        #expect(step == RegistrationUpkeepStep(next: RegistrationID(value: 4), expired: 4, forgotten: 0))
        let rest = try await scene.store.keepUpRegistrations(after: RegistrationID(value: 4), rows: 6, retention)
        #expect(rest == RegistrationUpkeepStep(next: nil, expired: 6, forgotten: 0))
    }
}
