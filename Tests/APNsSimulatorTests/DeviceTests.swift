import Testing
import Timekeeping

@testable import APNsSimulator

@Suite struct `A device` {
    private static let bundleID = "com.example.app"
    private var directory = DeviceDirectory()
    private var token = ""
    private var now = Timestamp(seconds: 1_800_000_000)

    init() {
        token = directory.register(
            bundleID: Self.bundleID, environment: .sandbox, onDevice: "phone", now: now)
    }

    private func push(
        _ id: String, type: PushType = .alert, priority: Int = 10, expiration: PushExpiration = .unspecified,
        collapseID: String? = nil, token: String? = nil
    ) -> JudgedPush {
        JudgedPush(
            id: id, token: token ?? self.token, topic: Self.bundleID, type: type, priority: priority,
            expiration: expiration, collapseID: collapseID, payload: Array("{}".utf8))
    }

    private var delivered: [String] { directory.devices["phone"]?.deliveries.map(\.push.id) ?? [] }

    private mutating func change(_ body: (inout DeviceState) -> Void) {
        directory.change(device: "phone", now: now, body)
    }

    @Test func `has a random token of 32 bytes that stays the same`() {
        var directory = directory
        #expect(token.utf8.count == 64)
        let again = directory.register(
            bundleID: Self.bundleID, environment: .sandbox, onDevice: "phone", now: now)
        #expect(again == token)
        let other = directory.register(bundleID: "com.example.b", environment: .sandbox, onDevice: "phone", now: now)
        #expect(other != token)
    }

    @Test mutating func `gets pushes in the order of acceptance while it is online`() {
        #expect(directory.accept(push("a"), now: now) == .delivered(sequence: 1))
        now = now.adding(milliseconds: 5)
        #expect(directory.accept(push("b", priority: 1), now: now) == .delivered(sequence: 2))
        let deliveries = directory.devices["phone"]?.deliveries ?? []
        #expect(deliveries.map(\.acceptSequence) == [1, 2])
        #expect(deliveries.map(\.deliveredAt) == [now.adding(milliseconds: -5), now])
    }

    @Test mutating func `keeps one push for each app while it is offline: the last`() {
        let other = directory.register(bundleID: "com.example.b", environment: .sandbox, onDevice: "phone", now: now)
        change { $0.isOnline = false }
        #expect(directory.accept(push("a"), now: now) == .stored(overwritten: nil))
        #expect(directory.accept(push("b"), now: now) == .stored(overwritten: "a"))
        #expect(directory.accept(push("c", token: other), now: now) == .stored(overwritten: nil))
        #expect(delivered == [])
        now = now.adding(seconds: 60)
        change { $0.isOnline = true }
        #expect(delivered == ["b", "c"])
        change { $0.isOnline = true }
        #expect(delivered == ["b", "c"])
    }

    @Test mutating func `does not get what has expired, or may not be stored`() {
        change { $0.isOnline = false }
        #expect(directory.accept(push("never", expiration: .never), now: now) == .discarded(.notStored))
        #expect(directory.accept(push("past", expiration: .until(seconds: 5)), now: now) == .discarded(.expired))
        let soon = PushExpiration.until(seconds: now.seconds + 10)
        #expect(directory.accept(push("soon", expiration: soon), now: now) == .stored(overwritten: nil))
        now = now.adding(seconds: 10)
        change { $0.isOnline = true }
        #expect(delivered == [])
    }

    @Test mutating func `gets a push with expiration 0, or in the past, when it is there`() {
        #expect(directory.accept(push("a", expiration: .never), now: now) == .delivered(sequence: 1))
        #expect(directory.accept(push("b", expiration: .until(seconds: 5)), now: now) == .delivered(sequence: 2))
    }

    @Test mutating func `gets what was stored without expiration for 30 days`() {
        change { $0.isOnline = false }
        _ = directory.accept(push("a"), now: now)
        var later = directory
        now = now.adding(seconds: 30 * 86_400 - 1)
        change { $0.isOnline = true }
        #expect(delivered == ["a"])
        later.change(device: "phone", now: now.adding(seconds: 1)) { $0.isOnline = true }
        #expect(later.devices["phone"]?.deliveries.isEmpty == true)
    }

    @Test mutating func `learns which earlier push a collapse id replaces, for each app`() {
        _ = directory.accept(push("a", collapseID: "score"), now: now)
        _ = directory.accept(push("b"), now: now)
        _ = directory.accept(push("c", collapseID: "score"), now: now)
        let other = directory.register(bundleID: "com.example.b", environment: .sandbox, onDevice: "phone", now: now)
        _ = directory.accept(push("d", collapseID: "score", token: other), now: now)
        #expect(directory.devices["phone"]?.deliveries.map(\.replaces) == [nil, nil, 1, nil])
    }

    @Test mutating func `that is not in use waits with priority 1, and with 5 only when told to`() {
        change { $0.isActive = false }
        #expect(directory.accept(push("ten"), now: now) == .delivered(sequence: 1))
        #expect(directory.accept(push("five", priority: 5), now: now) == .delivered(sequence: 2))
        #expect(directory.accept(push("one", priority: 1), now: now) == .stored(overwritten: nil))
        directory.rules.holdsNormalPriority = true
        #expect(directory.accept(push("five more", priority: 5), now: now) == .stored(overwritten: "one"))
        change { $0.isActive = true }
        #expect(delivered == ["ten", "five", "five more"])
    }

    @Test mutating func `that saves power gets only priority 10 while it is not in use`() {
        change {
            $0.isActive = false
            $0.savesPower = true
        }
        #expect(directory.accept(push("a", priority: 5), now: now) == .stored(overwritten: nil))
        #expect(directory.accept(push("b"), now: now) == .delivered(sequence: 1))
    }

    @Test mutating func `gets background pushes within the hourly budget, one held beyond it`() {
        directory.rules.backgroundPushesPerHour = 2
        for id in ["a", "b"] { _ = directory.accept(push(id, type: .background, priority: 5), now: now) }
        #expect(directory.accept(push("c", type: .background, priority: 5), now: now) == .held)
        #expect(directory.accept(push("d", type: .background, priority: 5), now: now) == .held)
        #expect(directory.accept(push("e"), now: now) == .delivered(sequence: 3))
        now = now.adding(seconds: 3600)
        directory.deliverAllWaiting(now: now)
        #expect(delivered == ["a", "b", "e", "d"])
    }

    @Test mutating func `drops background pushes for an app that was ended by force`() {
        change { $0.apps[Self.bundleID]?.isForceQuit = true }
        let fate = directory.accept(push("a", type: .background, priority: 5), now: now)
        #expect(fate == .discarded(.forceQuit))
        #expect(directory.accept(push("b"), now: now) == .delivered(sequence: 1))
    }

    @Test mutating func `discards pushes for an app whose notifications are switched off`() {
        change { $0.apps[Self.bundleID]?.isEnabled = false }
        #expect(directory.accept(push("a"), now: now) == .discarded(.disabled))
    }

    @Test mutating func `loses what was stored for an app that is removed`() {
        change { $0.isOnline = false }
        _ = directory.accept(push("a"), now: now)
        directory.uninstall(bundleID: Self.bundleID, fromDevice: "phone", now: now)
        change { $0.isOnline = true }
        #expect(delivered == [])
        #expect(directory.registration(ofToken: token)?.end?.since == now)
    }

    @Test mutating func `shows an uninstallation after the delay only`() {
        directory.rules.unregisteredDelayMilliseconds = 5000
        directory.uninstall(bundleID: Self.bundleID, fromDevice: "phone", now: now)
        let end = directory.registration(ofToken: token)?.end
        #expect(end?.rejection(now: now.adding(milliseconds: 4999)) == nil)
        #expect(
            end?.rejection(now: now.adding(milliseconds: 5000)) == Rejection(.unregistered, invalidSince: now))
        #expect(directory.accept(push("a"), now: now) == .discarded(.unregistered))
    }

    @Test mutating func `gets its old token back after reinstalling, or a new one`() {
        directory.uninstall(bundleID: Self.bundleID, fromDevice: "phone", now: now)
        let back = directory.register(bundleID: Self.bundleID, environment: .sandbox, onDevice: "phone", now: now)
        #expect(back == token)
        #expect(directory.registration(ofToken: token)?.end == nil)
        let fresh = directory.register(
            bundleID: Self.bundleID, environment: .sandbox, onDevice: "phone", renewing: true, now: now)
        #expect(fresh != token)
        #expect(directory.registration(ofToken: token)?.end?.reason == .unregistered)
    }

    @Test mutating func `takes a token over from the device that had it`() {
        _ = directory.register(
            bundleID: Self.bundleID, environment: .sandbox, onDevice: "new phone", token: token, now: now)
        _ = directory.accept(push("a"), now: now)
        #expect(delivered == [])
        #expect(directory.devices["new phone"]?.deliveries.map(\.push.id) == ["a"])
    }

    @Test mutating func `may keep either push in its slot, by the seed`() {
        directory.rules.slotPolicy = .random
        change { $0.isOnline = false }
        var kept: Set<String> = []
        for round in 0..<64 {
            if case .stored = directory.accept(push("\(round)"), now: now) { kept.insert("\(round)") }
        }
        #expect(kept.count > 8 && kept.count < 56)
    }

    @Test mutating func `remembers a bounded number of deliveries`() {
        directory.rules.deliveriesKept = 10
        for round in 0..<100 { _ = directory.accept(push("\(round)"), now: now) }
        let deliveries = directory.devices["phone"]?.deliveries ?? []
        #expect((10...20).contains(deliveries.count))
        #expect(deliveries.last?.sequence == 100)
    }
}
