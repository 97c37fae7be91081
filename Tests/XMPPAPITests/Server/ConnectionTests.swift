import AppServerTesting
import JSON
import PushCore
import PushModel
import SQLiteStore
import Testing
import XMPPWire

@testable import XMPPAPI

@Suite struct `Connections of app servers` {
    @Test func `are for those who prove who they are`() async throws {
        try await ServerWorld.run { world in
            let name = world.app.project.number.description
            let bad = [
                (AppServerWorld.otherServerKey, name), ("wrong", name), ("kitchen-others", name), ("old", name),
                ("garden", name), (AppServerWorld.serverKey, world.app.otherProject.number.description),
                (AppServerWorld.serverKey, "1"),
            ]
            for (secret, name) in bad {
                let answer = try await world.client().authenticate(secret, name: name)
                #expect(answer.name == "failure", "\(secret)")
                #expect(answer.children.map(\.name) == ["not-authorized"])
            }
            for secret in [AppServerWorld.serverKey, "kitchen"] {
                #expect(try await world.client().authenticate(secret, name: name).name == "success")
            }
        }
    }

    @Test func `end with a stream that is closed at once, XMP-17`() async throws {
        try await ServerWorld.run { world in
            let client = try await world.client()
            client.send(
                "<stream:stream to=\"gcm.googleapis.com\" version=\"1.0\" xmlns=\"jabber:client\" "
                    + "xmlns:stream=\"http://etherx.jabber.org/streams\"/>")
            #expect(await client.rest().last == .ended)
            _ = try await world.appServer()
        }
    }

    @Test func `are limited for each sender`() async throws {
        var configuration = CCSConfiguration()
        configuration.connectionsPerSender = 1
        try await ServerWorld.run(configuration) { world in
            let first = try await world.appServer()
            let second = try await world.client()
            _ = try await second.authenticate(AppServerWorld.serverKey, name: world.app.project.number.description)
            let bind = "<iq type='set' id='1'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>"
            second.send(SessionRun.opening + bind)
            _ = await second.next()
            _ = try await second.stanza()
            #expect(try await second.stanza()[attribute: "type"] == "error")
            first.send("</stream:stream>")
            _ = await first.rest()
            // The place is free as soon as the server has noticed, too.
            while true {
                second.send(bind)
                if try await second.stanza()[attribute: "type"] == "result" { break }
            }
        }
    }

    @Test func `end when nobody logs in`() async throws {
        var configuration = CCSConfiguration()
        configuration.loginDeadline = .milliseconds(20)
        try await ServerWorld.run(configuration) { world in
            let client = try await world.client()
            client.send(SessionRun.opening)
            let events = await client.rest()
            #expect(events.last == .ended)
            #expect(events.dropLast().last?.streamError == "connection-timeout")
        }
    }

    @Test func `end when the other end is dead`() async throws {
        var configuration = CCSConfiguration()
        configuration.silenceLimit = .milliseconds(1)
        configuration.answerLimit = .milliseconds(1)
        try await ServerWorld.run(configuration) { world in
            let client = try await world.appServer()
            let events = await client.rest()
            #expect(events.first?.isPing == true)
            #expect(events.last == .ended)
            #expect(events.dropLast().last?.streamError == "connection-timeout")
        }
    }

    @Test func `go on as long as the other end answers in time`() async throws {
        var configuration = CCSConfiguration()
        configuration.silenceLimit = .milliseconds(1)
        configuration.answerLimit = .seconds(3_600)
        try await ServerWorld.run(configuration) { world in
            let client = try await world.appServer()
            for _ in 1...5 {
                let ping = try await client.stanza()
                #expect(ping.child("ping", in: XMPPNamespace.ping) != nil)
                client.send(" ")
            }
            client.send("</stream:stream>")
            #expect(await client.rest().last == .ended)
        }
    }

    @Test func `end when the sender is deleted, and those of others go on`() async throws {
        var configuration = CCSConfiguration()
        configuration.senderCheckInterval = .milliseconds(1)
        try await ServerWorld.run(configuration) { world in
            let (_, token) = try await world.app.register(1)
            let clients = [try await world.appServer(), try await world.appServer()]
            let other = try await world.client()
            try await other.logIn(AppServerWorld.otherServerKey, name: world.app.otherProject.number.description)
            // One has a message that it has not acknowledged, the other owes nothing.
            try await world.upstream("u-1")
            try await world.app.store.deleteProject(world.app.project.number)
            clients[0].send(json: "{\"to\":\"token\",\"message_id\":\"u-1\",\"message_type\":\"ack\"}")
            clients[1].send(json: "{\"to\":\"\(token)\",\"message_id\":\"m\"}")
            for client in clients {
                let events = await client.rest()
                #expect(events.last == .ended)
                #expect(events.dropLast().last?.streamError == "not-authorized")
            }
            #expect(world.dispatcher.unacknowledged(of: world.app.project.number) == 0)
            #expect(
                try world.app.store.openUpstream(
                    of: world.app.project.number, after: UpstreamID(value: 0), limit: 10
                ).isEmpty)
            let again = try await world.client().authenticate(
                AppServerWorld.serverKey, name: world.app.project.number.description)
            #expect(again.name == "failure")
            other.send("<iq type='get' id='1'><ping xmlns='urn:xmpp:ping'/></iq>")
            #expect(try await other.stanza()[attribute: "type"] == "result")
        }
    }

    @Test func `are told to go when the emulator wants so`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1)
            let client = try await world.appServer()
            try await world.upstream("u-1")
            #expect(try await client.json()["message_id"] == "u-1")
            #expect(await world.server.drainConnections(of: world.app.otherProject.number) == 0)
            #expect(await world.server.drainConnections(of: world.app.project.number) == 1)
            #expect(try await client.json() == ["message_type": "control", "control_type": "CONNECTION_DRAINING"])
            client.send(json: "{\"to\":\"\(token)\",\"message_id\":\"m\"}")
            let refusal = try await client.json()
            #expect(refusal["message_type"] == "nack")
            #expect(refusal["error"] == "CONNECTION_DRAINING")
            try await world.upstream("u-2")
            let next = try await world.appServer()
            #expect(try await next.json()["message_id"] == "u-2", "nothing new goes to the old connection")
            client.send(json: "{\"to\":\"token\",\"message_id\":\"u-1\",\"message_type\":\"ack\"}")
            client.send("</stream:stream>")
            #expect(await client.rest() == [.ended])
            #expect(world.dispatcher.unacknowledged(of: world.app.project.number) == 1)
        }
    }

    @Test func `end when the service does, and nothing is lost`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1)
            let client = try await world.appServer()
            client.send(json: "{\"to\":\"\(token)\",\"message_id\":\"m\"}")
            #expect(try await client.json()["message_type"] == "ack")
            let stranger = try await world.client()
            await world.server.drain(deadline: .seconds(5))
            #expect(try await client.json()["control_type"] == "CONNECTION_DRAINING")
            #expect(await client.rest() == [.ended])
            #expect(await stranger.rest().last == .ended)
            #expect(world.server.openConnections == 0)
        }
    }
}

extension XMPPStreamEvent {
    fileprivate var isPing: Bool {
        guard case .stanza(let element) = self else { return false }
        return element.child("ping", in: XMPPNamespace.ping) != nil
    }

    /// The condition of a stream error.
    fileprivate var streamError: String? {
        guard case .stanza(let element) = self, element.isNamed("error", in: XMPPNamespace.streams) else { return nil }
        return element.children.first?.name
    }
}
