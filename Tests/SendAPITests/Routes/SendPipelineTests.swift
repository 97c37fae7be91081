import HTTPSemantics
import JSON
import PushCore
import PushModel
import SendAPI
import Testing
import Timekeeping

@Suite struct `Accepting a message` {
    static let plain = `Sending over HTTP`.plain

    @Test(arguments: [
        #"{"message":{"token":"{FID}"}}"#, #"{"message":{"fid":"{FID}"}}"#, #"{"message":{"token":"{TOKEN}"}}"#,
    ]) func `reaches the device by token and by installation id`(body: String) async throws {
        let world = SendWorld()
        let receipt = try await world.answer(to: world.filled(body))
        #expect(receipt.recipientCount == 1)
        #expect(world.platform.submitted.map(\.recipient.id.value) == [1])
    }

    @Test func `stores and sends nothing that is only to be validated`() async {
        let door = SendDoor()
        let response = await door.post(#"{"validateOnly":true,"message":{"token":"{TOKEN}"}}"#)
        #expect(response.json == ["name": "projects/demo-kitchen/messages/fake_message_id"])
        #expect(door.world.store.accepted.isEmpty)
        #expect(door.world.platform.submitted.isEmpty)
    }

    @Test(arguments: [#"{"message":{"topic":"news"}}"#, #"{"message":{"condition":"'news' in topics"}}"#])
    func `accepts a message to topics before anybody is looked for`(body: String) async throws {
        let world = SendWorld()
        let receipt = try await world.answer(to: world.filled(body))
        #expect(receipt.id != nil)
        #expect(receipt.recipientCount == nil)
        #expect(world.fanOuts.accepted.map(\.id) == [receipt.id])
        #expect(world.store.accepted.isEmpty)
    }

    @Test func `does not accept for a topic what an iPhone could never get`() async {
        let world = SendWorld()
        let body = #"{"message":{"topic":"news","data":{"aps":"x"}}}"#
        await #expect(throws: SendRequestRefusal.self) { try await world.answer(to: world.filled(body)) }
        #expect(world.fanOuts.accepted.isEmpty)
    }

    @Test func `tells senders to come again when a message to a topic cannot be stored`() async {
        let door = SendDoor()
        door.world.fanOuts.fill()
        #expect(await door.post(#"{"message":{"topic":"news"}}"#).status == 503)
    }

    @Test func `does not wait for ever`() async throws {
        let world = SendWorld(outcome: nil)
        #expect(try await world.answer(to: world.filled(Self.plain)).id != nil)
        #expect(world.store.accepted.count == 1)
    }

    @Test func `answers at the commit when it has no patience`() async throws {
        let world = SendWorld(outcome: .failed(.unregistered), patienceMilliseconds: 0)
        #expect(try await world.answer(to: world.filled(Self.plain)).id != nil)
    }

    @Test func `succeeds when the message ran out of time`() async throws {
        let world = SendWorld(outcome: .expired)
        #expect(try await world.answer(to: world.filled(Self.plain)).id != nil)
    }

    @Test func `tells senders to come again when the store does not answer`() async {
        let door = SendDoor()
        door.world.store.fill()
        #expect(await door.post(Self.plain).status == 503)
        door.world.registrations.breakDown()
        #expect(await door.post(Self.plain).status == 503)
        #expect(door.world.platform.submitted.isEmpty)
    }

    @Test func `gives ids that grow`() async throws {
        let world = SendWorld()
        let first = try await world.answer(to: world.filled(Self.plain)).id
        let second = try await world.answer(to: world.filled(Self.plain)).id
        #expect(try #require(first) < #require(second))
    }

    @Test func `waits as long as the longest life on any platform`() async throws {
        let world = SendWorld()
        let body =
            #"{"message":{"token":"{TOKEN}","notification":{"title":"t"},"android":{"ttl":"60s"},"apns":{"headers":{"apns-expiration":"0"}}}}"#
        _ = try await world.answer(to: world.filled(body))
        #expect(world.store.accepted.first?.message.expiresAt == world.clock.now().adding(seconds: 60))
    }
}

@Suite struct `The quota of a project` {
    @Test func `refuses what goes beyond it and fills with time`() async {
        let door = SendDoor(SendWorld(messagesPerMinute: 2))
        #expect(await door.post(`Sending over HTTP`.plain).status == 200)
        #expect(await door.post(`Sending over HTTP`.plain).status == 200)
        let refused = await door.post(`Sending over HTTP`.plain)
        #expect(refused.status == 429)
        #expect(refused.error["details"]?[0]?["errorCode"] == "QUOTA_EXCEEDED")
        #expect(refused.error["details"]?[1]?["violations"]?[0]?["subject"] == "project:demo-kitchen")
        #expect(refused.fields["retry-after"] == nil)
        door.world.clock.set(door.world.clock.now().adding(seconds: 30))
        #expect(await door.post(`Sending over HTTP`.plain).status == 200)
        #expect(await door.post(`Sending over HTTP`.plain).status == 429)
    }

    @Test func `charges nothing for refused sends`() async {
        let door = SendDoor(SendWorld(messagesPerMinute: 1))
        for _ in 0..<5 {
            #expect(await door.post(#"{"message":{"token":"x"}}"#).status == 400)
            #expect(await door.post(#"{"message":{"token":"{DEAD}"}}"#).status == 404)
            #expect(await door.post(#"{"validate_only":true,"message":{"token":"{TOKEN}"}}"#).status == 200)
        }
        #expect(await door.post(`Sending over HTTP`.plain).status == 200)
    }

    @Test func `gives back what a failed send was charged`() async {
        let failure = SendError(.thirdPartyAuthentication, "no key")
        let door = SendDoor(SendWorld(outcome: .failed(failure), messagesPerMinute: 1))
        for _ in 0..<3 { #expect(await door.post(`Sending over HTTP`.plain).status == 401) }
    }
}
