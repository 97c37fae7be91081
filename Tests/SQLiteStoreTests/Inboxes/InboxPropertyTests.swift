import PropertyTesting
import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

/// Random messages, acknowledgements, disconnections, returns, months away and restarts, held against arrays.
@Suite struct `Inboxes after any sequence of events` {
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `lose nothing, repeat nothing, and keep the order`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let scene = try await InboxScene()
        var model = Model(try await Self.recipients(scene))
        for step in 0..<250 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<60: try await accept(scene, &model, &random)
            case 60..<80: try await settle(scene, &model, &random)
            case 80..<86: try await returnSome(scene, &model, &random)
            case 86..<90: model.toggle(model.recipients.randomElement(using: &random)?.androidID ?? 0)
            case 90..<94: try await expire(scene, &model, &random)
            case 94..<97: try await discard(scene, &model, &random)
            default: try restart(scene, &model, &random)
            }
            if step.isMultiple(of: 10) { try check(scene, model) }
        }
        try check(scene, model)
        try await drain(scene, &model)
    }

    private static func recipients(_ scene: InboxScene) async throws -> [Registration] {
        [
            try await scene.register(1), try await scene.register(1, bundle: "com.example.other"),
            try await scene.register(2), try await scene.register(3, channel: .apple(Sample.address(3))),
        ]
    }

    // MARK: Events

    private func accept(_ scene: InboxScene, _ model: inout Model, _ random: inout SeededGenerator) async throws {
        let count = Int.random(in: 0..<6, using: &random) == 0 ? 40 : 1
        guard let recipient = model.recipients.randomElement(using: &random) else { return }
        for _ in 0..<count {
            let key = Bool.random(using: &random) || count > 1 ? nil : "k\(Int.random(in: 0..<6, using: &random))"
            let lifetime = ([0, 50, 3_600] as [Int64]).randomElement(using: &random) ?? 0
            let isConnected = model.connected.contains(recipient.androidID)
            let isApple = recipient.channel != .device
            let accepted = try await scene.accept(
                for: recipient, key: key, isConnected: isConnected, lifetime: lifetime, mayReturn: isApple)
            let row = Model.Row(
                id: accepted.id, message: accepted.message, recipient: recipient, key: key,
                expiresAt: scene.clock.now().adding(seconds: lifetime), mayReturn: isApple)
            let gone = model.accept(row, isConnected: isConnected, at: scene.clock.now())
            #expect(Set(accepted.ended.map(\.id)) == gone)
        }
    }

    /// Some entries of a device, some that are gone, and some of another device.
    private func settle(_ scene: InboxScene, _ model: inout Model, _ random: inout SeededGenerator) async throws {
        guard let recipient = model.recipients.randomElement(using: &random) else { return }
        let device = recipient.androidID
        let candidates = model.rows.shuffled(using: &random).prefix(8) + model.gone.shuffled(using: &random).prefix(3)
        let settled = try await scene.store.settle(
            candidates.map { row in
                scene.settlement(row.id, of: row.message, for: row.recipient, receipt: scene.receipt("\(row.id)"))
            }, of: device)
        let ids = Set(candidates.map(\.id))
        let taken = model.take { $0.recipient.androidID == device && ids.contains($0.id) }
        #expect(Set(settled.ended.map(\.id)) == Set(taken.map(\.id)))
        #expect(settled.receipts.count == taken.count)
        model.receipts += settled.receipts.count
    }

    private func returnSome(
        _ scene: InboxScene, _ model: inout Model, _ random: inout SeededGenerator
    ) async throws {
        guard let recipient = model.recipients.randomElement(using: &random) else { return }
        let one = Bool.random(using: &random) ? recipient.id : nil
        let returned = try await scene.store.returnToGateway(device: recipient.androidID, registration: one)
        let taken = model.take { row in
            row.mayReturn && row.recipient.androidID == recipient.androidID
                && one.map { $0 == row.recipient.id } ?? true
        }
        #expect(returned.map(\.id) == taken.map(\.id))
        #expect(returned.map(\.message) == taken.map(\.message))
        model.returned += taken.map(\.id)
    }

    private func expire(_ scene: InboxScene, _ model: inout Model, _ random: inout SeededGenerator) async throws {
        let now = scene.clock.now().adding(seconds: Int64.random(in: 0...60, using: &random))
        scene.clock.set(now)
        var place: DeliveryID? = InboxScene.start
        var ended: [DeliveryID] = []
        while let current = place {
            let swept = try await scene.store.sweepInboxes(after: current, rows: 7, at: now)
            ended += swept.ended.map(\.id)
            place = swept.next
        }
        #expect(ended == model.take { $0.expiresAt <= now }.map(\.id))
    }

    private func discard(_ scene: InboxScene, _ model: inout Model, _ random: inout SeededGenerator) async throws {
        guard let device = model.recipients.randomElement(using: &random)?.androidID else { return }
        let now = scene.clock.now()
        let ended = try await scene.store.discardInbox(of: device, at: now)
        let taken = model.take { $0.recipient.androidID == device }
        #expect(Set(ended.map(\.id)) == Set(taken.map(\.id)))
        for (recipient, rows) in Dictionary(grouping: taken, by: \.recipient.id) {
            let alive = rows.count { $0.expiresAt > now }
            if alive > 0 { model.note(alive, for: recipient) }
        }
    }

    private func restart(_ scene: InboxScene, _ model: inout Model, _ random: inout SeededGenerator) throws {
        let isServer = Bool.random(using: &random)
        try scene.reopen(as: isServer ? .server : .administration)
        model.connected = []
        if isServer { model.returned += model.take { $0.mayReturn }.map(\.id) }
    }

    // MARK: Checks

    private func check(_ scene: InboxScene, _ model: Model) throws {
        for device in [1, 2, 3] as [UInt64] {
            let entries = try scene.entries(of: device)
            let expected = model.rows.filter { $0.recipient.androidID == device }
            #expect(entries.filter { $0.dropped == nil }.map(\.id) == expected.map(\.id))
            #expect(entries.compactMap(\.message) == expected.map(\.message))
            #expect(entries.map(\.id) == entries.map(\.id).sorted())
            for recipient in model.recipients where recipient.androidID == device {
                let notes = entries.filter { $0.recipient == recipient }.compactMap(\.dropped)
                #expect(notes == [model.dropped[recipient.id]].compactMap(\.self))
            }
        }
    }

    /// Everything is acknowledged: nothing is left, and every receipt is there once.
    private func drain(_ scene: InboxScene, _ model: inout Model) async throws {
        for device in [1, 2, 3] as [UInt64] {
            let settlements = try scene.entries(of: device).map { entry in
                entry.message.map { scene.settlement(entry.id, of: $0, for: entry.recipient) }
                    ?? scene.settlement(ofNote: entry.id, for: entry.recipient)
            }
            _ = try await scene.store.settle(settlements, of: device)
            #expect(try scene.entries(of: device).isEmpty)
        }
        let returned = try scene.store.pendingDeliveries(after: InboxScene.start, limit: .max)
        #expect(returned.map(\.id) == model.returned.sorted())
        #expect(try scene.messages() == Int64(returned.count))
        scene.store.finish(returned.map { Sample.finished($0.id, of: $0.message, registration: $0.recipient.id) })
        try await scene.store.settle()
        #expect(try scene.messages() == 0)
        #expect(try scene.count("SELECT count(*) FROM upstream") == Int64(model.receipts))
    }
}

/// The rules over an array.
private struct Model {
    struct Row {
        var id: DeliveryID
        var message: ValidatedMessage
        var recipient: Registration
        var key: String?
        var expiresAt: Timestamp
        var mayReturn = false
    }

    let recipients: [Registration]
    var rows: [Row] = []
    /// Not there any more.
    var gone: [Row] = []
    var dropped: [RegistrationID: Int] = [:]
    var returned: [DeliveryID] = []
    var connected: Set<UInt64> = []
    var receipts = 0

    init(_ recipients: [Registration]) { self.recipients = recipients }

    mutating func toggle(_ device: UInt64) {
        if connected.remove(device) == nil { connected.insert(device) }
    }

    mutating func take(where isTaken: (Row) -> Bool) -> [Row] {
        let taken = rows.filter(isTaken)
        rows.removeAll(where: isTaken)
        gone += taken
        return taken
    }

    mutating func note(_ count: Int, for recipient: RegistrationID) { dropped[recipient, default: 0] += count }

    /// - Returns: What gave way.
    mutating func accept(_ row: Row, isConnected: Bool, at now: Timestamp) -> Set<DeliveryID> {
        defer { rows.append(row) }
        guard isConnected || row.expiresAt > now else { return [] }
        let mine = rows.filter { $0.recipient.id == row.recipient.id }
        if let key = row.key {
            let others = mine.filter { $0.key != nil && $0.key != key }
            let surplus = Set(others.prefix(max(0, others.count - 3)).map(\.id))
            return Set(
                take { $0.recipient.id == row.recipient.id && ($0.key == key || surplus.contains($0.id)) }.map(\.id))
        }
        let waiting = mine.filter { $0.key == nil && $0.expiresAt > now }
        guard !isConnected, waiting.count >= 100 else { return [] }
        let ids = Set(waiting.map(\.id))
        _ = take { ids.contains($0.id) }
        note(ids.count, for: row.recipient.id)
        return ids
    }
}
