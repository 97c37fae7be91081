import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `What a device's connection asks of the service` {
    typealias World = DirectChannelWorld

    private func world() async throws -> World {
        let world = World()
        try await world.store.addDevice(World.credentials, at: Sample.acceptedAt)
        return world
    }

    private func page(_ world: World, after id: DeliveryID = World.start, limit: Int = 10) async throws -> InboxPage {
        try await world.inboxes.page(of: World.device, after: id, limit: limit)
    }

    // MARK: Login

    @Test func `a device with its own secret comes in, others do not`() async throws {
        let world = try await world()
        #expect(try await world.inboxes.login(World.credentials, received: []) == .admitted(knownUpstream: []))
        for (id, token) in [(42, 8), (43, 7), (0, 0)] as [(UInt64, UInt64)] {
            let stranger = DeviceCredentials(androidID: id, securityToken: token)
            world.put(Int64(id) + 1)
            #expect(try await world.inboxes.login(stranger, received: [World.name(Int64(id) + 1)]) == .refused)
        }
        #expect(world.ended.isEmpty && world.store.waiting.count == 3)
    }

    @Test func `what it says it has is settled before anything is written`() async throws {
        let world = try await world()
        for id in 1...4 as ClosedRange<Int64> { world.put(id) }
        world.putNote(5, 7)
        let others = ["", "mid-1", "0:1%ffffffffffffffff", World.name(99)]
        let note = PersistentID.text(of: DeliveryID(value: 5), message: MessageID(value: 1))
        _ = try await world.inboxes.login(
            World.credentials, received: others + [World.name(1), World.name(3), World.name(1), note])
        #expect(world.store.waiting.map(\.value) == [2, 4])
        #expect(world.ended.map(\.id.value) == [1, 3])
        #expect(world.ended.map(\.outcome) == [1, 3].map { .accepted(providerID: World.name($0)) })
        #expect(try await page(world).outgoing.map(\.id.value) == [2, 4])
    }

    @Test func `a name counts only with its message`() async throws {
        let world = try await world()
        world.put(1)
        let other = PersistentID.text(of: DeliveryID(value: 1), message: MessageID(value: 5))
        _ = try await world.inboxes.login(World.credentials, received: [other])
        #expect(world.store.waiting.map(\.value) == [1])
    }

    @Test func `the messages of its own queue that are known are told`() async throws {
        let world = try await world()
        for id in ["1", "2"] {
            try await world.store.rememberUpstream(
                from: UpstreamOrigin(device: World.device, category: "c", queueID: id),
                to: ProjectNumber(value: 1), expiresAt: Sample.acceptedAt)
        }
        #expect(
            try await world.inboxes.login(World.credentials, received: []) == .admitted(knownUpstream: ["1", "2"]))
    }

    @Test func `after more than a month everything is dropped, once`() async throws {
        let world = try await world()
        _ = try await world.inboxes.login(World.credentials, received: [])
        let month = Sample.acceptedAt.adding(seconds: 30 * 86_400)
        world.clock.set(month)
        try await world.inboxes.noteVisit(of: World.credentials)
        _ = try await world.inboxes.login(World.credentials, received: [])
        #expect(world.store.discarded.isEmpty)
        world.clock.set(month.adding(seconds: 30 * 86_400).adding(milliseconds: 1))
        for _ in 0..<2 { _ = try await world.inboxes.login(World.credentials, received: []) }
        #expect(world.store.discarded == [World.device])
    }

    @Test func `connections within an hour are noted once`() async throws {
        let world = try await world()
        for (minutes, noted) in [(0, 0), (59, 0), (60, 60), (61, 60)] as [(Int64, Int64)] {
            world.clock.set(Sample.acceptedAt.adding(seconds: minutes * 60))
            _ = try await world.inboxes.login(World.credentials, received: [])
            try await world.inboxes.disconnected(World.credentials)
            let expected = Sample.acceptedAt.adding(seconds: noted * 60)
            #expect(try world.store.lastConnection(of: World.device) == expected)
        }
    }

    @Test func `a store in trouble refuses nobody, it throws`() async throws {
        let world = try await world()
        world.store.setBroken(true)
        await #expect(throws: StoreError.self) { try await world.inboxes.login(World.credentials, received: []) }
        await #expect(throws: StoreError.self) { try await page(world) }
    }

    // MARK: Pages

    @Test func `a page has the entries in order, notes among them`() async throws {
        let world = try await world()
        world.put(1)
        world.putNote(2, 300)
        world.put(3)
        let first = try await page(world, limit: 2)
        #expect(first.outgoing.map(\.id.value) == [1, 2])
        #expect(first.last.value == 2 && !first.isEnd)
        #expect(first.outgoing[1].message.data.contains(.init(key: "total_deleted", value: "300")))
        let second = try await page(world, after: first.last, limit: 2)
        #expect(second.outgoing.map(\.id.value) == [3] && second.isEnd)
        let third = try await page(world, after: second.last, limit: 2)
        #expect(third.outgoing.isEmpty && third.isEnd && third.last.value == 3)
    }

    @Test func `what expired or can never be delivered is settled and left out`() async throws {
        let world = try await world()
        let gone = World.recipient(2, ending: .deletedByApp)
        let keyless = World.recipient(
            3, channel: .web(endpoint: "https://push.example/x", p256dh: "", auth: "", applicationKey: ""))
        world.put(1, lifetime: 0)
        world.put(2, for: gone)
        world.put(3, for: keyless)
        world.putNote(4, 1, for: gone)
        world.put(5)
        let page = try await page(world)
        #expect(page.outgoing.map(\.id.value) == [5] && page.isEnd)
        #expect(world.store.waiting.map(\.value) == [5])
        #expect(world.ended.map(\.id.value) == [1, 2, 3])
        #expect(world.ended.first?.outcome == .expired)
        #expect(world.ended.dropFirst().allSatisfy { $0.outcome == .failed(.unregistered) })
    }

    // MARK: Acknowledgements

    @Test func `what was acknowledged is over, once`() async throws {
        let world = try await world()
        for id in 1...3 as ClosedRange<Int64> { world.put(id) }
        world.putNote(4, 1)
        let page = try await page(world)
        for outgoing in page.outgoing { world.inboxes.written(outgoing, to: World.device) }
        #expect(world.written.map(\.value) == [1, 2, 3])
        let some = [page.outgoing[0], page.outgoing[3]]
        for _ in 0..<2 { try await world.inboxes.acknowledged(some, by: World.device) }
        try await world.inboxes.acknowledged([], by: World.device)
        #expect(world.store.waiting.map(\.value) == [2, 3])
        #expect(world.ended.map(\.id.value) == [1])
        try await world.inboxes.acknowledged(named: [World.name(2), World.name(1), "x"], by: World.device)
        #expect(world.store.waiting.map(\.value) == [3])
        #expect(world.ended.map(\.id.value) == [1, 2])
        try await world.inboxes.acknowledged(page.outgoing, by: 43)
        #expect(world.store.waiting.map(\.value) == [3])
    }

    @Test func `what is now or never is over once it is written`() async throws {
        let world = try await world()
        let now = Message(android: AndroidOptions(timeToLive: TimeToLive(seconds: 0)))
        let outgoing = try #require(world.inboxes.outgoing(world.put(1, now, lifetime: 0)))
        #expect(outgoing.isNowOrNever && outgoing.message.persistentID.isEmpty)
        world.inboxes.written(outgoing, to: World.device)
        await world.waitForEnds(1)
        #expect(world.ended.map(\.outcome) == [.accepted(providerID: "")])
        #expect(world.store.waiting.isEmpty)
    }

    @Test func `a ring that can never be written ends`() async throws {
        let world = try await world()
        let keyless = World.recipient(
            3, channel: .web(endpoint: "https://push.example/x", p256dh: "", auth: "", applicationKey: ""))
        #expect(world.inboxes.outgoing(world.put(1, for: keyless)) == nil)
        await world.waitForEnds(1)
        #expect(world.store.waiting.isEmpty)
    }

    @Test func `a receipt that the sender asked for goes to it, whichever way the device acknowledges`() async throws {
        let world = try await world()
        let asking = Message(receiptRequest: ReceiptRequest(originalID: "m-1"))
        let fidMode = {
            var recipient = World.recipient(2)
            recipient.isFIDMode = true
            return recipient
        }()
        world.put(1, asking)
        world.put(2, asking, for: fidMode)
        world.put(3, asking, lifetime: 0)
        let page = try await page(world)
        try await world.inboxes.acknowledged([page.outgoing[0]], by: World.device)
        _ = try await world.inboxes.login(World.credentials, received: [World.name(2), World.name(1)])
        #expect(world.receipts == world.store.upstream)
        #expect(world.receipts.count == 2)
        let draft = try #require(world.receipts.first).content
        #expect(draft.kind == .receipt && draft.messageID == "dr2:m-1" && draft.from == "gcm.googleapis.com")
        #expect(draft.expiresAt == Sample.acceptedAt.adding(seconds: 86_400))
        #expect(
            draft.data
                == Sample.data(
                    ("message_status", "MESSAGE_SENT_TO_DEVICE"), ("original_message_id", "m-1"),
                    ("device_registration_id", world.tokens.token(of: World.recipient())),
                    ("message_sent_timestamp", "1700000000000")))
        #expect(world.receipts.last?.content.data[2].value == Sample.fid)
    }

    // MARK: Leaving

    @Test func `what APNs may bring goes there when the device leaves`() async throws {
        let world = try await world()
        let apple = World.recipient(2, channel: .apple(Sample.address()))
        world.put(1)
        world.put(2, for: apple, mayReturn: true)
        try await world.inboxes.disconnected(World.credentials)
        #expect(world.submitted.map(\.value) == [2])
        #expect(world.store.waiting.map(\.value) == [1])
        #expect(try world.store.lastConnection(of: World.device) == Sample.acceptedAt)
        try await world.inboxes.disconnected(World.credentials)
        #expect(world.submitted.map(\.value) == [2])
    }

    @Test func `what waited for an APNs token goes to APNs when there is one, unless the app is connected`()
        async throws
    {
        let world = try await world()
        let without = World.recipient(2, channel: .apple(nil))
        let other = World.recipient(3, channel: .apple(nil))
        world.put(1, for: without, mayReturn: true)
        world.put(2, for: other, mayReturn: true)
        try await world.inboxes.registrationChanged(without, isConnected: false)
        let with = World.recipient(2, channel: .apple(Sample.address()))
        try await world.inboxes.registrationChanged(with, isConnected: true)
        try await world.inboxes.registrationChanged(World.recipient(2), isConnected: false)
        #expect(world.submitted.isEmpty)
        try await world.inboxes.registrationChanged(with, isConnected: false)
        #expect(world.submitted.map(\.value) == [1])
        #expect(world.store.waiting.map(\.value) == [2])
    }
}
