import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `An inbox in SQLite` {
    @Test func `keeps messages in the order in which they were accepted`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let stranger = try await scene.register(43)
        let first = try await scene.accept(for: recipient)
        try await scene.accept(for: stranger)
        let second = try await scene.accept(for: recipient, key: "k")
        let entries = try scene.entries()
        #expect(entries.map(\.id) == [first.id, second.id])
        #expect(entries.map(\.message) == [first.message, second.message])
        #expect(entries.allSatisfy { $0.recipient == recipient })
        #expect(entries.allSatisfy { $0.expiresAt == .testStart.adding(seconds: 3_600) })
        #expect(try scene.entries(after: first.id).map(\.id) == [second.id])
        #expect(try scene.entries(limit: 1).map(\.id) == [first.id])
        #expect(try scene.entries(after: second.id).isEmpty)
        #expect(try scene.store.pendingCount() == 0)
    }

    static let subscription = Registration.Channel.web(
        endpoint: "https://push.example.com/1", p256dh: "p", auth: "a", applicationKey: "k")

    @Test(arguments: [Registration.Channel.device, subscription])
    func `holds nothing for a registration that was deleted and renewed`(channel: Registration.Channel) async throws {
        let scene = try await InboxScene()
        let site = try await scene.register(channel: channel)
        try await scene.accept(for: site)
        #expect(try await scene.register(channel: channel).id == site.id, "a live one keeps what waits for it")
        #expect(try scene.entries().filter { $0.recipient.ending == nil }.count == 1)
        try await scene.store.end(site.id, .deletedByApp, at: scene.clock.now())
        let renewed = try await scene.register(channel: channel)
        #expect(try scene.entries().filter { $0.recipient.ending == nil }.isEmpty)
        let next = try await scene.accept(for: renewed)
        #expect(try scene.entries().filter { $0.recipient.ending == nil }.map(\.id) == [next.id])
    }

    @Test func `gives the entries that are named, if they are the device's`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let stranger = try await scene.register(43)
        let mine = try await scene.accept(for: recipient)
        let other = try await scene.accept(for: stranger)
        let unknown = DeliveryID(value: 99_999_999)
        let found = try scene.store.inboxEntries([mine.id, other.id, unknown], of: InboxScene.device)
        #expect(found.map(\.id) == [mine.id])
        #expect(try scene.store.inboxEntries([], of: InboxScene.device).isEmpty)
    }

    @Test func `tells each message which one is before it`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        var previous: [DeliveryID?] = []
        var ids: [DeliveryID] = []
        for key in [nil, "a", nil, "a"] as [String?] {
            let acceptance = try await scene.store.accept(
                scene.message(), deliveries: [scene.plan(recipient, key: key, isConnected: true)])
            previous.append(acceptance.deliveries[0].previousInInbox)
            ids.append(acceptance.deliveries[0].id)
        }
        #expect(previous == [nil, ids[0], ids[1], ids[2]])
    }

    @Test func `keeps a message that goes to devices and to gateways until the last has it`() async throws {
        let scene = try await InboxScene()
        let phone = try await scene.register()
        let tablet = try await scene.register(43)
        let apple = try await scene.register(44, channel: .apple(Sample.address(9)))
        let message = scene.message()
        let planned = [scene.plan(phone), PlannedDelivery(registration: apple.id), scene.plan(tablet, key: "k")]
        let acceptance = try await scene.store.accept(message, deliveries: planned)
        let ids = acceptance.deliveries.map(\.id)
        #expect(ids == ids.sorted() && Set(ids).count == 3)
        #expect(try scene.store.pendingDeliveries(after: InboxScene.start, limit: 9).map(\.id) == [ids[1]])
        #expect(try scene.entries().map(\.id) == [ids[0]])
        #expect(try scene.entries(of: 43).map(\.id) == [ids[2]])

        _ = try await scene.store.settle([scene.settlement(ids[2], of: message, for: tablet)], of: 43)
        #expect(try scene.messages() == 1)
        scene.store.finish([Sample.finished(ids[1], of: message, registration: apple.id)])
        try await scene.store.settle()
        #expect(try scene.messages() == 1)
        _ = try await scene.store.settle([scene.settlement(ids[0], of: message, for: phone)], of: InboxScene.device)
        #expect(try scene.messages() == 0)
    }

    @Test func `the content goes with the gateway's delivery when that is the last`() async throws {
        let scene = try await InboxScene()
        let phone = try await scene.register()
        let apple = try await scene.register(44, channel: .apple(Sample.address(9)))
        let message = scene.message()
        let ids = try await scene.store.accept(
            message, deliveries: [scene.plan(phone), PlannedDelivery(registration: apple.id)]
        ).deliveries.map(\.id)
        _ = try await scene.store.settle([scene.settlement(ids[0], of: message, for: phone)], of: InboxScene.device)
        #expect(try scene.messages() == 1)
        scene.store.finish([Sample.finished(ids[1], of: message, registration: apple.id)])
        try await scene.store.settle()
        #expect(try scene.messages() == 0)
    }

    @Test func `what is lost is skipped and gets its outcome, and the page is full all the same`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        let first = try await scene.accept(for: recipient)
        let damaged = try await scene.accept(for: recipient)
        let last = try await scene.accept(for: recipient)
        try await scene.store.writer.write { (context) throws(StoreError) in
            _ = try context.connection.change(
                "UPDATE messages SET content = ? WHERE id = ?", [UInt8]("{".utf8), damaged.message.id.value)
        }
        #expect(try scene.entries(limit: 2).map(\.id) == [first.id, last.id])
        try await scene.store.settle()
        #expect(try scene.count("SELECT count(*) FROM inbox") == 2)
        #expect(
            try scene.count("SELECT project FROM delivery_events")
                == Int64(bitPattern: scene.project.number.value))
    }

    @Test func `numbers are never given twice, whatever a start finds`() async throws {
        let scene = try await InboxScene()
        let recipient = try await scene.register()
        var given: Set<DeliveryID> = []
        for round in 0..<3 {
            let ids = try await scene.accept(101, for: recipient)
            #expect(given.isDisjoint(with: ids))
            given.formUnion(ids)
            let note = try #require(try scene.entries().first { $0.dropped != nil })
            #expect(given.insert(note.id).inserted)
            for entry in try scene.entries() {
                let settlement = entry.message.map { scene.settlement(entry.id, of: $0, for: recipient) }
                _ = try await scene.store.settle(
                    [settlement ?? scene.settlement(ofNote: entry.id, for: recipient)], of: InboxScene.device)
            }
            // Nothing is left that tells of the numbers.
            try await scene.store.writer.write { (context) throws(StoreError) in
                _ = try context.connection.change("DELETE FROM delivery_events")
            }
            try scene.reopen(as: round == 0 ? .server : .administration)
        }
    }

    @Test func `goes with its project, notes and upstream messages too`() async throws {
        let scene = try await InboxScene()
        let other = try await Sample.project(scene.store, "demo-other")
        var draft = Sample.draft(other, fid: Sample.otherFID, address: nil)
        (draft.channel, draft.androidID) = (.device, InboxScene.device)
        let kept = try await scene.store.register(draft)
        let keptID = try await scene.store.accept(
            Sample.message(other, id: 5), deliveries: [scene.plan(kept)]
        ).deliveries[0].id
        let recipient = try await scene.register()
        _ = try await scene.accept(102, for: recipient)
        for device in 1...3 as ClosedRange<UInt64> {
            _ = try await scene.accept(2, for: try await scene.register(device))
        }
        _ = try await scene.store.acceptUpstream(scene.receipt(), from: nil)
        _ = try await scene.store.acceptUpstream(
            scene.receipt(), from: UpstreamOrigin(device: 42, category: "c", queueID: "1"))
        try await scene.store.deleteProject(scene.project.number)
        #expect(try scene.entries().map(\.id) == [keptID])
        #expect(try scene.count("SELECT count(*) FROM inbox") == 1)
        #expect(try scene.count("SELECT count(*) FROM upstream") == 0)
        #expect(try scene.messages() == 1)
    }

    @Test func `remembers when its device was connected, not when it checked in`() async throws {
        let scene = try await InboxScene()
        let device = DeviceCredentials(androidID: 7, securityToken: 8)
        try await scene.store.addDevice(device, at: .testStart)
        #expect(try scene.store.lastConnection(of: 7) == nil)
        #expect(try scene.store.lastConnection(of: 8) == nil)
        let later = Timestamp.testStart.adding(seconds: 60)
        try await scene.store.noteConnection(of: 7, at: later)
        _ = try await scene.store.confirmDevice(device, at: later.adding(seconds: 60))
        #expect(try scene.store.lastConnection(of: 7) == later)
        try await scene.store.noteConnection(of: 7, at: .testStart)
        #expect(try scene.store.lastConnection(of: 7) == later)
    }
}
