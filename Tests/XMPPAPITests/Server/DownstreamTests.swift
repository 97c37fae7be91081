import AppServerTesting
import JSON
import PushCore
import PushModel
import SQLiteStore
import Testing
import Timekeeping
import XMPPWire

@testable import XMPPAPI

@Suite struct `Messages to devices over XMPP` {
    @Test func `without message_id come back with an error, XMP-01`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1)
            let client = try await world.appServer()
            client.send(json: "{\"to\":\"\(token)\",\"data\":{\"a\":\"1\"}}", id: "s1")
            let answer = try await client.stanza()
            #expect(answer[attribute: "id"] == "s1")
            #expect(answer[attribute: "type"] == "error")
            let error = answer.child("error", in: XMPPNamespace.client)
            #expect(error?[attribute: "code"] == "400")
            #expect(error?[attribute: "type"] == "modify")
            #expect(error?.child("bad-request", in: XMPPNamespace.stanzaErrors) != nil)
            let text = error?.child("text", in: XMPPNamespace.stanzaErrors)?.text
            #expect(text?.contains("Missing Required Field: message_id") == true)
            client.send(json: "{\"to\":\"\(token)\",\"message_id\":\"m\",\"data\":{\"a\":\"1\"}}")
            #expect(try await client.json()["message_type"] == "ack")
            #expect(world.app.platform.submitted.count == 1)
        }
    }

    @Test func `with a number as message_id come back with an error, XMP-02`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1)
            let client = try await world.appServer()
            client.send(json: "{\"to\":\"\(token)\",\"message_id\":7,\"data\":{\"a\":\"1\"}}", id: "s2")
            let answer = try await client.stanza()
            #expect(answer[attribute: "id"] == "s2")
            #expect(answer[attribute: "type"] == "error")
            #expect(world.app.platform.submitted.isEmpty)
        }
    }

    @Test func `to malformed and dead tokens are refused, XMP-05`() async throws {
        try await ServerWorld.run { world in
            let dead = try await world.app.deadToken(1)
            let client = try await world.appServer()
            client.send(json: "{\"to\":\"bogus\",\"message_id\":\"m-5a\",\"data\":{\"a\":\"1\"}}")
            client.send(json: "{\"to\":\"\(dead)\",\"message_id\":\"m-5b\",\"data\":{\"a\":\"1\"}}")
            for (token, id, code) in [("bogus", "m-5a", "BAD_REGISTRATION"), (dead, "m-5b", "DEVICE_UNREGISTERED")] {
                let answer = try await client.json()
                #expect(answer["message_type"] == "nack")
                #expect(answer["from"] == .string(token))
                #expect(answer["message_id"] == .string(id))
                #expect(answer["error"] == .string(code))
                #expect(answer["error_description"]?.string != nil)
            }
        }
    }

    @Test func `that are no JSON come back with an error, XMP-06`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1)
            let client = try await world.appServer()
            client.send(json: "{\"to\": token, \"message_id\"", id: "s6")
            let answer = try await client.stanza()
            let error = answer.child("error", in: XMPPNamespace.client)
            let text = error?.child("text", in: XMPPNamespace.stanzaErrors)?.text
            #expect(text?.hasPrefix("InvalidJson: JSON_PARSING_ERROR") == true)
            client.send(json: "{\"to\":\"\(token)\",\"message_id\":\"m\"}")
            #expect(try await client.json()["message_type"] == "ack")
        }
    }

    @Test func `to several ids are refused and reach nobody, XMP-07`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1)
            let client = try await world.appServer()
            client.send(json: "{\"registration_ids\":[\"\(token)\"],\"message_id\":\"m-7\",\"data\":{\"a\":\"1\"}}")
            let answer = try await client.json()
            #expect(answer["message_id"] == "m-7")
            #expect(answer["error"] == "INVALID_JSON")
            #expect(world.app.platform.submitted.isEmpty)
        }
    }

    @Test func `arrive with the characters that XML escapes, XMP-08`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1)
            let client = try await world.appServer()
            client.send(
                json: "{\"to\":\"\(token)\",\"message_id\":\"m-8a\",\"notification\":{\"title\":"
                    + "\"Fish &amp; chips &lt;now&gt; \\\"2\\\" &#x1F600;\"}}")
            client.send(
                json: "<![CDATA[{\"to\":\"\(token)\",\"message_id\":\"m-8b\",\"notification\":{\"title\":"
                    + "\"Fish & chips <now> \\\"2\\\" 😀\"}}]]>")
            for id in ["m-8a", "m-8b"] {
                let answer = try await client.json()
                #expect(answer["message_type"] == "ack")
                #expect(answer["message_id"] == .string(id))
            }
            let title = "Fish & chips <now> \"2\" 😀"
            #expect(world.deliveredTitles == [title, title])
            try await world.upstream("u", text: title)
            #expect(try await client.json()["data"]?["a"] == .string(title))
        }
    }

    @Test func `with a raw ampersand end the stream, and lose nothing accepted before, XMP-09`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1)
            let client = try await world.appServer()
            client.send(json: "{\"to\":\"\(token)\",\"message_id\":\"m\"}")
            client.send(
                json: "{\"to\":\"\(token)\",\"message_id\":\"m-9\",\"notification\":{\"title\":\"Fish & chips\"}}")
            #expect(try await client.json()["message_id"] == "m")
            let error = try await client.stanza()
            #expect(error.isNamed("error", in: XMPPNamespace.streams))
            #expect(error.children.first?.name == "not-well-formed")
            #expect(await client.rest() == [.ended])
            #expect(world.app.platform.submitted.count == 1)
        }
    }

    @Test func `ask for receipts by their own id, XMP-15`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1)
            let client = try await world.appServer()
            for member in ["\"delivery_receipt_requested\":true,", "\"delivery_receipt_requested\":false,", ""] {
                client.send(json: "{\"to\":\"\(token)\",\"message_id\":\"m-15\",\(member)\"data\":{\"a\":\"1\"}}")
                #expect(try await client.json()["message_type"] == "ack")
            }
            let wishes = world.app.platform.submitted.map { $0.message.message.receiptRequest }
            #expect(wishes == [ReceiptRequest(originalID: "m-15"), nil, nil])
        }
    }

    @Test func `with the same id twice are answered twice, XMP-18`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1)
            let json = "{\"to\":\"\(token)\",\"message_id\":\"m-18\",\"data\":{\"n\":\"1\"}}"
            let first = try await world.appServer()
            for _ in 1...2 { first.send(json: json) }
            for _ in 1...2 { #expect(try await first.json()["message_id"] == "m-18") }
            first.abort()
            let second = try await world.appServer()
            second.send(json: json)
            #expect(try await second.json()["message_type"] == "ack")
        }
    }

    // MARK: Targets

    @Test func `name the token to use from now on`() async throws {
        try await ServerWorld.run { world in
            let (earlier, current) = try await world.app.renewedToken(1)
            let client = try await world.appServer()
            client.send(json: "{\"to\":\"\(earlier)\",\"message_id\":\"m\"}")
            #expect(
                try await client.json()
                    == [
                        "from": .string(earlier), "message_id": "m", "message_type": "ack",
                        "registration_id": .string(current),
                    ])
        }
    }

    @Test func `go to topics and conditions`() async throws {
        try await ServerWorld.run { world in
            let client = try await world.appServer()
            client.send(json: "{\"to\":\"/topics/news\",\"message_id\":\"m1\",\"data\":{\"a\":\"1\"}}")
            client.send(
                json: "{\"condition\":\"'a' in topics &amp;&amp; !('b' in topics)\",\"message_id\":\"m2\"}")
            client.send(json: "{\"condition\":\"'a' in\",\"message_id\":\"m3\"}")
            #expect(try await client.json() == ["from": "/topics/news", "message_id": "m1", "message_type": "ack"])
            #expect(try await client.json()["message_type"] == "ack")
            #expect(try await client.json()["error"] == "INVALID_JSON")
            #expect(world.app.fanOuts.submitted.count == 2)
        }
    }

    @Test func `go to device groups`() async throws {
        try await ServerWorld.run { world in
            let members = [try await world.app.register(1), try await world.app.register(2)]
            let groups = DeviceGroups(
                store: world.app.store, registrations: world.app.lookup,
                keys: DeviceGroupKeyCodec(sealing: world.app.sealing), clock: world.app.clock)
            let key = try await groups.create(named: "g", tokens: members.map(\.token), in: world.app.project.number)
            let client = try await world.appServer()
            client.send(json: "{\"to\":\"\(key)\",\"message_id\":\"m1\"}")
            var answer = try await client.json()
            #expect(answer["message_type"] == "ack")
            #expect(answer["success"] == 2)
            #expect(answer["failure"] == 0)
            try await world.app.store.end(members[0].registration.id, .deletedByApp, at: world.app.clock.now())
            client.send(json: "{\"to\":\"\(key)\",\"message_id\":\"m2\"}")
            answer = try await client.json()
            #expect(answer["success"] == 1)
            #expect(answer["failed_registration_ids"] == [.string(members[0].token)])
        }
    }

    @Test func `of another project are refused`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1, in: world.app.otherProject)
            let client = try await world.appServer()
            client.send(json: "{\"to\":\"\(token)\",\"message_id\":\"m\"}")
            #expect(try await client.json()["error"] == "SENDER_ID_MISMATCH")
        }
    }

    @Test func `that are only tried reach nobody`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1)
            let client = try await world.appServer()
            client.send(json: "{\"to\":\"\(token)\",\"message_id\":\"m\",\"dry_run\":true}")
            #expect(try await client.json()["message_type"] == "ack")
            #expect(world.app.platform.submitted.isEmpty)
        }
    }

    @Test func `fail as the platform says`() async throws {
        try await ServerWorld.run { world in
            let (registration, token) = try await world.app.register(1)
            world.app.platform.fail(registration, with: SendError(.deviceQuotaExceeded, "too many"))
            let client = try await world.appServer()
            client.send(json: "{\"to\":\"\(token)\",\"message_id\":\"m\"}")
            #expect(try await client.json()["error"] == "DEVICE_MESSAGE_RATE_EXCEEDED")
            client.send(json: "{\"to\":\"\(token)\",\"message_id\":\"m\",\"time_to_live\":-1}")
            #expect(try await client.json()["error"] == "INVALID_JSON")
        }
    }

    @Test func `in a long row are all answered, in order`() async throws {
        try await ServerWorld.run { world in
            let (_, token) = try await world.app.register(1)
            let client = try await world.appServer()
            let messages = (0..<700).map { number in
                SessionRun.message("{\"to\":\"\(token)\",\"message_id\":\"\(number)\",\"data\":{\"a\":\"b\"}}")
            }
            client.send(messages.joined())
            for number in 0..<700 {
                let answer = try await client.json()
                #expect(answer["message_id"] == .string(String(number)))
                #expect(answer["message_type"] == "ack")
            }
            #expect(world.app.platform.submitted.count == 700)
        }
    }
}
