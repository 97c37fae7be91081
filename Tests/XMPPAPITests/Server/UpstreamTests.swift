import AppServerTesting
import EventLoop
import JSON
import PushCore
import PushModel
import SQLiteStore
import Synchronization
import Testing
import Timekeeping
import XMPPWire

@testable import XMPPAPI

@Suite struct `Messages of apps over XMPP` {
    private static func ack(_ id: String, to sender: String = "token") -> String {
        "{\"to\":\"\(sender)\",\"message_id\":\"\(id)\",\"message_type\":\"ack\"}"
    }

    @Test func `arrive, also those that waited`() async throws {
        try await ServerWorld.run { world in
            try await world.upstream("u-1")
            let client = try await world.appServer()
            try await world.upstream("u-2")
            for id in ["u-1", "u-2"] {
                #expect(
                    try await client.json()
                        == [
                            "category": .string(AppServerWorld.bundleID), "data": ["a": "1"],
                            "message_id": .string(id), "from": "token", "time_to_live": 3_600,
                        ])
            }
        }
    }

    @Test func `count as received only where they were sent, XMP-12`() async throws {
        try await ServerWorld.run { world in
            let first = try await world.appServer()
            try await world.upstream("u-12")
            #expect(try await first.json()["message_id"] == "u-12")
            first.abort()
            _ = await first.rest()
            let second = try await world.client()
            try await second.logIn(AppServerWorld.serverKey, name: world.app.project.number.description)
            second.send(json: Self.ack("u-11"))
            #expect(try await second.json()["message_id"] == "u-12", "again, and the session stays open")
            second.send(json: Self.ack("u-12"))
            second.send("<iq type='get' id='1'><ping xmlns='urn:xmpp:ping'/></iq>")
            #expect(try await second.stanza().name == "iq")
            second.send("</stream:stream>")
            #expect(await second.rest() == [.ended])
            await world.dispatcher.drain()
            #expect(
                try world.app.store.openUpstream(
                    of: world.app.project.number, after: UpstreamID(value: 0), limit: 10
                ).isEmpty)
            try await world.upstream("u-13")
            #expect(try await world.appServer().json()["message_id"] == "u-13")
        }
    }

    @Test func `stop at a hundred without acknowledgement`() async throws {
        try await ServerWorld.run { world in
            let client = try await world.appServer()
            for number in 1...120 { try await world.upstream("\(number)") }
            for number in 1...100 { #expect(try await client.json()["message_id"] == .string("\(number)")) }
            #expect(world.dispatcher.unacknowledged(of: world.app.project.number) == 100)
            for number in 1...100 { client.send(json: Self.ack("\(number)")) }
            for number in 101...120 { #expect(try await client.json()["message_id"] == .string("\(number)")) }
        }
    }

    @Test func `are shared among the connections of a sender`() async throws {
        try await ServerWorld.run { world in
            let clients = [try await world.appServer(), try await world.appServer()]
            for number in 1...10 { try await world.upstream("\(number)") }
            var seen: Set<String> = []
            for client in clients {
                for _ in 1...5 { seen.insert(try await client.json()["message_id"]?.string ?? "") }
            }
            #expect(seen.count == 10)
        }
    }

    @Test func `include receipts, which are acknowledged like them, XMP-15`() async throws {
        try await ServerWorld.run { world in
            let client = try await world.appServer()
            try await world.upstream("dr2:m-15", kind: .receipt)
            let receipt = try await client.json()
            #expect(receipt["message_type"] == "receipt")
            #expect(receipt["from"] == "gcm.googleapis.com")
            #expect(receipt["message_id"] == "dr2:m-15")
            client.send(json: Self.ack("dr2:m-15", to: "gcm.googleapis.com"))
            client.send("</stream:stream>")
            _ = await client.rest()
            #expect(world.dispatcher.unacknowledged(of: world.app.project.number) == 0)
        }
    }

    /// Threads tell of messages as they hear of their commits; the connection is on another loop again.
    @Test func `of many devices at once come in the order of acceptance, over every connection`() async throws {
        try await ServerWorld.run { world in
            let order = AcceptanceOrder()
            await withTaskGroup { group in
                for device in 0..<16 {
                    group.addTask(executorPreference: world.loops.loops[device % 2]) {
                        for number in 0..<20 {
                            let name = "\(device)-\(number)"
                            guard let id = try? await world.upstream(name) else { continue }
                            order.add(name, id)
                        }
                    }
                }
                group.addTask {
                    // Two connections go away in between.
                    for count in [70, 90] {
                        guard let client = try? await world.appServer() else { continue }
                        for _ in 0..<count {
                            let name = try? await client.json()["message_id"]?.string
                            client.send(json: Self.ack(name ?? ""))
                        }
                        client.send("</stream:stream>")
                        _ = await client.rest()
                    }
                }
            }
            let client = try await world.appServer()
            var seen: [String] = []
            let expected = order.names
            #expect(expected.count == 320)
            while let last = expected.last, seen.last != last {
                let name = try await client.json()["message_id"]?.string ?? ""
                client.send(json: Self.ack(name))
                seen.append(name)
            }
            #expect(seen == Array(expected.suffix(seen.count)))
            #expect(seen.count >= 320 - 160)
        }
    }

    @Test(arguments: [false, true])
    func `are done for good when the stream has ended`(isDraining: Bool) async throws {
        try await ServerWorld.run(holdsClosings: true) { world in
            let client = try await world.appServer()
            try await world.upstream("u")
            #expect(try await client.json()["message_id"] == "u")
            client.send(json: Self.ack("u"))
            await world.closings.begin()
            if isDraining { #expect(await world.server.drainConnections(of: nil) == 1) }
            client.send("</stream:stream>")
            // Answered after the server has read the end of the stream, on either loop.
            let others = try await [world.appServer(), world.appServer()]
            for other in others {
                other.send("<iq type='get' id='1'><ping xmlns='urn:xmpp:ping'/></iq>")
                #expect(try await other.stanza().name == "iq")
            }
            #expect(!client.hasEnded)
            world.closings.release()
            #expect(await client.rest().last == .ended)
            #expect(
                try world.app.store.openUpstream(
                    of: world.app.project.number, after: UpstreamID(value: 0), limit: 10
                ).isEmpty)
        }
    }

    @Test func `keep no stream open when the store does not close them`() async throws {
        try await ServerWorld.run(holdsClosings: true) { world in
            let client = try await world.appServer()
            try await world.upstream("u")
            #expect(try await client.json()["message_id"] == "u")
            client.send(json: Self.ack("u"))
            client.send("</stream:stream>")
            await world.closings.begin()
            world.closings.release(fails: true)
            #expect(await client.rest() == [.ended])
        }
    }

    @Test func `outlive the service`() async throws {
        try await ServerWorld.run { world in
            let first = try await world.appServer()
            try await world.upstream("u")
            #expect(try await first.json()["message_id"] == "u")
            // As after a crash: another dispatcher over the same store.
            let again = UpstreamDispatcher(
                store: world.app.store, clock: world.app.clock, delays: LoopDelays(loop: world.loops.loops[0]))
            let session = CollectingSession()
            again.connect(session, of: world.app.project.number)
            #expect(session.names == ["u"])
        }
    }
}

/// The messages in the order in which the store took them.
private final class AcceptanceOrder: Sendable {
    private let table = Mutex<[UpstreamID: String]>([:])

    var names: [String] { table.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }

    func add(_ name: String, _ id: UpstreamID) {
        table.withLock { $0[id] = name }
    }
}

private final class CollectingSession: AppServerSession, @unchecked Sendable {
    // Sendable because the test calls from one thread.
    private(set) var names: [String] = []

    func deliver(_ message: UpstreamMessage) {
        names.append(message.content.messageID)
    }
}
