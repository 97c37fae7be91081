import Bytes
import HTTPSemantics
import PropertyTesting
import PushModel
import SQLiteStore
import Testing
import Timekeeping

@testable import EventLogAPI

@Suite struct `Event log` {
    @Test func `keeps what Apple's data transport uploads`() async throws {
        let world = try await LogWorld()
        let event = world.event {
            $0.topic = "/topics/news"
            $0.label = "label"
            $0.campaign = 42
        }
        let answer = await world.post(batch([event], time: LogWorld.start.adding(seconds: -9)))
        #expect(answer.status == 200)
        #expect(answer.fields["content-type"] == "application/x-protobuf")
        // next_request_wait_millis = 0
        #expect(answer.body == [8, 0])
        let expected = ReportedEvent(
            .delivered, project: world.project.number, messageID: "1700000000000001", instanceID: LogWorld.fid,
            messageType: .display, platform: .iOS, appName: "com.example.app", topic: "/topics/news",
            analyticsLabel: "label", campaignID: 42, occurredAt: LogWorld.start.adding(seconds: -9))
        #expect(try world.kept.map(\.event) == [expected])
        #expect(try world.kept.map(\.receivedAt) == [LogWorld.start])
        #expect(world.observer.heard == [expected])
    }

    @Test func `keeps what Android's transport uploads as JSON`() async throws {
        let world = try await LogWorld()
        let event = Base64.encode(world.event { $0.platform = 1 })
        let body = """
            {"logRequest":[{"requestTimeMs":"1","clientInfo":{},"logSourceName":"FCM_CLIENT_EVENT_LOGGING","logEvent":[
            {"eventTimeMs":"1700000000000","sourceExtension":"\(event)"}]},
            {"logSource":5,"logEvent":[{"eventTimeMs":1,"sourceExtension":"\(event)"}]}]}
            """
        let answer = await world.post(
            Array(body.utf8), type: "application/json; charset=utf-8", query: "?format=json_proto3")
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"nextRequestWaitMillis":"0"}"#)
        #expect(try world.kept.map(\.event.platform) == [.android])
    }

    @Test func `counts a repeated event once, and tells of it once`() async throws {
        let world = try await LogWorld()
        for _ in 0..<3 { #expect(await world.post(batch([world.event(), world.event()])).status == 200) }
        #expect(try world.kept.count == 1)
        #expect(world.observer.heard.count == 1)
        #expect(await world.post(batch([world.event { $0.kind = 2 }, world.event { $0.kind = 101 }])).status == 200)
        #expect(try world.kept.map(\.event.kind) == [.delivered, .opened, .receivedInForeground])
    }

    @Test func `takes other products' events and forgets them`() async throws {
        let world = try await LogWorld()
        #expect(await world.post(batch([[1, 2, 3], world.event()], source: 462)).status == 200)
        #expect(await world.post([]).status == 200)
        #expect(try world.kept.isEmpty)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout EventFields) -> Void
        init(_ name: String, _ change: @escaping @Sendable (inout EventFields) -> Void) {
            testDescription = name
            self.change = change
        }
    }

    @Test(arguments: [
        Bad("no project") { $0.project = 0 },
        Bad("a negative project") { $0.project = -1 },
        Bad("an unknown project") { $0.project = 999_999_999_999 },
        Bad("no message") { $0.message = "" },
        Bad("a long message id") { $0.message = String(repeating: "1", count: 513) },
        Bad("no instance") { $0.instance = "" },
        Bad("no FID") { $0.instance = "zAAAAAAAAAAAAAAAAAAAAA" },
        Bad("an unknown FID") { $0.instance = "dBBBBBBBBBBBBBBBBBBBBB" },
        Bad("an unknown event") { $0.kind = 77 },
        Bad("no event") { $0.kind = 0 },
        Bad("a long label") { $0.label = String(repeating: "é", count: 257) },
        Bad("a long app name") { $0.app = String(repeating: "a", count: 513) },
    ])
    func `passes over an event with`(bad: Bad) async throws {
        let world = try await LogWorld()
        let good = world.event { $0.message = "2" }
        #expect(await world.post(batch([world.event(bad.change), good])).status == 200)
        #expect(try world.kept.map(\.event.messageID) == ["2"])
    }

    @Test(
        arguments: [
            (-1, -1), (60, 0), (-28 * 86_400, -28 * 86_400), (-28 * 86_400 - 1, -28 * 86_400), (Int64.max / 1000, 0),
        ] as [(Int64, Int64)])
    func `moves a time that cannot be to one that can`(ahead: Int64, kept: Int64) async throws {
        let world = try await LogWorld()
        #expect(
            await world.post(batch([world.event()], time: LogWorld.start.adding(seconds: ahead))).status == 200)
        #expect(try world.kept.map(\.event.occurredAt) == [LogWorld.start.adding(seconds: kept)])
    }

    @Test func `an unknown type and platform are unknown`() async throws {
        let world = try await LogWorld()
        let event = world.event {
            $0.type = 9
            $0.platform = -4
        }
        #expect(await world.post(batch([event])).status == 200)
        #expect(try world.kept.map(\.event.messageType) == [.unknown])
        #expect(try world.kept.map(\.event.platform) == [.unknown])
    }

    @Test(
        arguments: [
            ([0xFF], "application/x-protobuf"), ([0x0A, 0x05, 0x00], "application/x-protobuf"),
            (Array("{".utf8), "application/json"), (Array("[]".utf8), "application/json"), ([], "application/json"),
            (Array(#"{"logRequest":7}"#.utf8), "application/json"),
        ] as [([UInt8], String)])
    func `refuses what is no batch`(body: [UInt8], type: String) async throws {
        let world = try await LogWorld()
        #expect(await world.post(body, type: type).status == 400)
    }

    @Test func `refuses a batch of more than a thousand events, whoever's they are`() async throws {
        let world = try await LogWorld()
        let thousand = Array(repeating: world.event(), count: 1000)
        #expect(await world.post(batch(thousand)).status == 200)
        #expect(await world.post(batch(thousand + [[]])).status == 400)
        #expect(await world.post(batch(thousand, source: 1) + batch([[]])).status == 400)
    }

    @Test func `a project that reports too much is asked to come again`() async throws {
        let world = try await LogWorld(eventsPerMinute: 2)
        let events = (1...3).map { number in world.event { $0.message = String(number) } }
        let answer = await world.post(batch(events))
        #expect(answer.status == 429)
        #expect(answer.fields["retry-after"] == "60")
        #expect(try world.kept.count == 2)
        world.clock.set(LogWorld.start.adding(seconds: 60))
        #expect(await world.post(batch([events[2]])).status == 200)
        #expect(try world.kept.count == 3)
    }

    @Test func `an app instance that reports too much is asked to come again, and others are not`() async throws {
        let world = try await LogWorld(eventsPerInstance: 2)
        let events = (1...3).map { number in world.event { $0.message = String(number) } }
        #expect(await world.post(batch(events)).status == 429)
        #expect(try world.kept.count == 2)
        // Whoever makes ids up uses nothing of it up.
        let invented = world.event { $0.instance = "dBBBBBBBBBBBBBBBBBBBBB" }
        #expect(await world.post(batch([invented])).status == 200)
        #expect(await world.post(batch([events[2]])).status == 429)
        world.clock.set(LogWorld.start.adding(seconds: 600))
        #expect(await world.post(batch(events)).status == 429)
        #expect(try world.kept.count == 2)
        world.clock.set(LogWorld.start.adding(seconds: 1200))
        #expect(await world.post(batch([events[2]])).status == 200)
        #expect(try world.kept.count == 3)
    }

    @Test func `a store that cannot be written is asked again`() async throws {
        let world = try await LogWorld()
        world.store.close()
        #expect(await world.post(batch([world.event()])).status == 503)
    }

    @Test func `survives whatever is sent`() async throws {
        let world = try await LogWorld()
        var random = SeededGenerator(seed: 5)
        let sound = batch([world.event(), world.event { $0.label = "x" }])
        for _ in 0..<2000 {
            let spoiled = random.mutate(sound)
            guard let found = try? LoggedEvents.protobuf(spoiled) else { continue }
            for event in found.events { _ = try? ReportedEvent(protobuf: event.bytes, at: event.time) }
        }
    }
}
