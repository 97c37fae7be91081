import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `Upstream messages in SQLite` {
    static let origin = UpstreamOrigin(device: 42, category: Sample.bundle, queueID: "1")

    private func draft(_ scene: InboxScene, _ id: String = "m", project: Project? = nil, lives: Int64 = 60)
        -> UpstreamDraft
    {
        UpstreamDraft(
            project: (project ?? scene.project).number, kind: .message, from: "token", category: Sample.bundle,
            messageID: id, data: [.init(key: "b", value: ""), .init(key: "a", value: "é\u{0}\"")],
            rawData: [0, 255], timeToLiveSeconds: lives, expiresAt: .testStart.adding(seconds: lives))
    }

    private func open(_ scene: InboxScene, after id: UpstreamID = .first, limit: Int = 9) throws -> [UpstreamMessage] {
        try scene.store.openUpstream(of: scene.project.number, after: id, limit: limit)
    }

    @Test func `come back as they were given, in order, to their project`() async throws {
        let scene = try await InboxScene()
        let other = try await Sample.project(scene.store, "demo-other")
        let one = try #require(try await scene.store.acceptUpstream(draft(scene, "1"), from: nil))
        _ = try await scene.store.acceptUpstream(draft(scene, "x", project: other), from: nil)
        var receipt = draft(scene, "dr2:1")
        (receipt.kind, receipt.rawData, receipt.data) = (.receipt, nil, [])
        var two = try #require(try await scene.store.acceptUpstream(receipt, from: nil))
        #expect(one.previous == nil && two.previous == one.id)
        two.previous = nil
        try scene.reopen()
        #expect(try open(scene) == [one, two])
        #expect(one.content == draft(scene, "1") && two.content == receipt)
        #expect(try open(scene, after: one.id) == [two])
        #expect(try open(scene, limit: 1) == [one])
        #expect(try open(scene, after: two.id).isEmpty)
    }

    @Test func `each is told the newest that was open before it`() async throws {
        let scene = try await InboxScene()
        var stored: [UpstreamMessage] = []
        for id in ["1", "2", "3"] {
            stored += [try await scene.store.acceptUpstream(draft(scene, id), from: nil)].compactMap(\.self)
        }
        #expect(stored.map(\.previous) == [nil, stored[0].id, stored[1].id])
        try await scene.store.closeUpstream([stored[1].id, stored[2].id])
        let next = try await scene.store.acceptUpstream(draft(scene, "4"), from: Self.origin)
        #expect(next?.previous == stored[0].id)
        try await scene.store.closeUpstream([stored[0].id] + [next?.id].compactMap(\.self))
        #expect(try await scene.store.acceptUpstream(draft(scene, "5"), from: nil)?.previous == nil)
    }

    @Test func `a repetition is told by its origin, also after it was closed`() async throws {
        let scene = try await InboxScene()
        let one = try #require(try await scene.store.acceptUpstream(draft(scene), from: Self.origin))
        #expect(try scene.store.knowsUpstream(from: Self.origin))
        #expect(try await scene.store.acceptUpstream(draft(scene), from: Self.origin) == nil)
        try await scene.store.closeUpstream([one.id])
        #expect(try open(scene).isEmpty)
        try scene.reopen()
        #expect(try await scene.store.acceptUpstream(draft(scene), from: Self.origin) == nil)
    }

    static let others = [
        UpstreamOrigin(device: 43, category: Sample.bundle, queueID: "1"),
        UpstreamOrigin(device: 42, category: "com.example.other", queueID: "1"),
        UpstreamOrigin(device: 42, category: Sample.bundle, queueID: "01"),
    ]

    @Test(arguments: others) func `another origin is another message`(origin: UpstreamOrigin) async throws {
        let scene = try await InboxScene()
        _ = try await scene.store.acceptUpstream(draft(scene), from: Self.origin)
        #expect(try !scene.store.knowsUpstream(from: origin))
        #expect(try await scene.store.acceptUpstream(draft(scene), from: origin) != nil)
        #expect(try open(scene).count == 2)
    }

    @Test func `without an origin every one is new, and nothing is left of a closed one`() async throws {
        let scene = try await InboxScene()
        let one = try #require(try await scene.store.acceptUpstream(draft(scene), from: nil))
        let two = try #require(try await scene.store.acceptUpstream(draft(scene), from: nil))
        #expect(one.id < two.id)
        try await scene.store.closeUpstream([one.id, two.id, UpstreamID(value: 99)])
        try await scene.store.closeUpstream([])
        #expect(try scene.count("SELECT count(*) FROM upstream") == 0)
    }

    @Test func `numbers are never given twice`() async throws {
        let scene = try await InboxScene()
        let one = try #require(try await scene.store.acceptUpstream(draft(scene), from: nil))
        try await scene.store.closeUpstream([one.id])
        try scene.reopen()
        let two = try #require(try await scene.store.acceptUpstream(draft(scene), from: nil))
        #expect(two.id > one.id)
    }

    @Test func `are forgotten a day after they expired, open or closed`() async throws {
        let scene = try await InboxScene()
        let one = try #require(try await scene.store.acceptUpstream(draft(scene, "1"), from: Self.origin))
        try await scene.store.closeUpstream([one.id])
        _ = try await scene.store.acceptUpstream(draft(scene, "2"), from: nil)
        let end = Timestamp.testStart.adding(seconds: 60 + 86_400)
        try await scene.store.pruneUpstream(expiredBefore: end)
        #expect(try await scene.store.acceptUpstream(draft(scene), from: Self.origin) == nil)
        #expect(try open(scene).count == 1)
        try await scene.store.pruneUpstream(expiredBefore: end.adding(milliseconds: 1))
        #expect(try open(scene).isEmpty)
        #expect(try await scene.store.acceptUpstream(draft(scene), from: Self.origin) != nil)
    }

    @Test func `an origin can be remembered without a message`() async throws {
        let scene = try await InboxScene()
        for _ in 0..<2 {
            try await scene.store.rememberUpstream(
                from: Self.origin, to: scene.project.number, expiresAt: .testStart.adding(seconds: 60))
        }
        #expect(try scene.store.knowsUpstream(from: Self.origin))
        #expect(try await scene.store.acceptUpstream(draft(scene), from: Self.origin) == nil)
        #expect(try open(scene).isEmpty)
        try await scene.store.pruneUpstream(expiredBefore: .testStart.adding(seconds: 86_461))
        #expect(try !scene.store.knowsUpstream(from: Self.origin))
    }

    @Test func `a device's own numbers come oldest first, the newest of them`() async throws {
        let scene = try await InboxScene()
        var ids: [UpstreamID] = []
        for number in 1...5 {
            let origin = UpstreamOrigin(device: 42, category: "app-\(number % 2)", queueID: "\(number)")
            ids += [try await scene.store.acceptUpstream(draft(scene), from: origin)].compactMap(\.?.id)
        }
        _ = try await scene.store.acceptUpstream(draft(scene), from: Self.others[0])
        _ = try await scene.store.acceptUpstream(draft(scene), from: nil)
        try await scene.store.closeUpstream(Array(ids.prefix(3)))
        #expect(try scene.store.upstreamQueueIDs(of: 42, limit: 100) == ["1", "2", "3", "4", "5"])
        #expect(try scene.store.upstreamQueueIDs(of: 42, limit: 2) == ["4", "5"])
        #expect(try scene.store.upstreamQueueIDs(of: 7, limit: 2).isEmpty)
    }

    static let damage = [
        "", "{", "[]", #"{"from":"f","category":"c","id":"i","ttl":1,"data":["k"]}"#,
        #"{"from":"f","category":"c","id":"i","data":[]}"#, #"{"from":1,"category":"c","id":"i","ttl":1,"data":[]}"#,
    ]

    @Test(arguments: damage) func `what cannot be read says so`(text: String) {
        #expect(
            UpstreamArchive.decode(
                Array(text.utf8), project: ProjectNumber(value: 1), expiresAt: .testStart) == nil)
    }
}
