import FirebasePlatform
import JSON
import MCSWire
import NetTesting
import Synchronization
import Testing
import Timekeeping

@testable import DeviceSimulator

@Suite struct `Virtual iPhone with the direct channel` {
    private func message(_ id: String, _ data: [(String, String)]) -> DataMessageStanza {
        var stanza = DataMessageStanza()
        stanza.from = "123456789012"
        stanza.category = ChannelWorld.bundleID
        stanza.persistentID = id
        stanza.appData = data.map { .init(key: $0.0, value: $0.1) }
        return stanza
    }

    @Test func `gets messages over TLS, and tells the app of deleted ones`() async throws {
        let world = try ChannelWorld()
        var first = message("p1", [("k", "v"), ("gcm.notification.title", "T")])
        first.rawData = [1, 2]
        let deleted = message("p2", [("message_type", "deleted_messages")])
        world.door.state.withLock { $0.waiting = [first, deleted] }
        try await world.phone.launch(foreground: true)
        #expect(await world.event(.directChannelUp) != nil)
        #expect(world.phone.isDirectChannelUp)
        let event = await world.event(.didReceiveRemoteMessage)
        #expect(event?.messageID == "p1")
        #expect(
            event?.details["app_data"]
                == ["from": "123456789012", "k": "v", "notification": ["title": "T"], "rawData": "AQI"])
        #expect(await world.event(.messagesDeleted) != nil)
        let login = world.door.state.withLock { $0.logins.first }
        #expect(login?.user == "4186988920390508656" && login?.authToken == "77")
        await world.end()
    }

    @Test func `sends messages to the app's server, and tells how each ended`() async throws {
        let world = try ChannelWorld()
        try await world.phone.launch(foreground: true)
        _ = await world.event(.directChannelUp)
        let receiver = "123456789012@gcm.googleapis.com"
        try await world.phone.sendUpstream(to: receiver, data: ["k": "v"], messageID: "m1", timeToLiveSeconds: 60)
        #expect(await world.event(.didSend, .sendFailed)?.messageID == "m1")
        let stanza = world.door.state.withLock { $0.messages.first }
        #expect(stanza?.id == "m1" && stanza?.to == receiver && stanza?.category == ChannelWorld.bundleID)
        try await world.phone.sendUpstream(to: "", data: [:], messageID: "m2", timeToLiveSeconds: 60)
        let failure = await world.event(.didSend, .sendFailed)
        #expect(failure?.kind == .sendFailed && failure?.messageID == "m2")
        #expect(failure?.details["error"]?.string?.hasPrefix("com.google.fcm error 1003") == true)
        await world.end()
    }

    @Test func `closes the channel in the background, opens it in the foreground, and keeps messages meanwhile`()
        async throws
    {
        let world = try ChannelWorld()
        try await world.phone.launch(foreground: true)
        _ = await world.event(.directChannelUp)
        await world.phone.moveToBackground()
        _ = await world.event(.directChannelDown)
        #expect(!world.phone.isDirectChannelUp)
        try await world.phone.sendUpstream(to: "1@x", data: [:], messageID: "m1", timeToLiveSeconds: 60)
        await world.phone.moveToForeground()
        _ = await world.event(.directChannelUp)
        #expect(await world.event(.didSend, .sendFailed)?.messageID == "m1")
        #expect(world.door.state.withLock { ($0.logins.count, $0.goodbyes) } == (2, 1))
        await world.end()
    }

    @Test func `loses the channel with its network, and has it back with it`() async throws {
        let world = try ChannelWorld()
        try await world.phone.launch(foreground: true)
        _ = await world.event(.directChannelUp)
        await world.phone.setOnline(false)
        _ = await world.event(.directChannelDown)
        try await world.phone.sendUpstream(to: "1@x", data: [:], messageID: "now", timeToLiveSeconds: 0)
        #expect(await world.event(.sendFailed)?.messageID == "now")
        await world.phone.setOnline(true)
        _ = await world.event(.directChannelUp)
        await world.end()
    }

    @Test func `sends what an earlier launch left`() async throws {
        let world = try ChannelWorld()
        try await world.phone.launch(foreground: true)
        _ = await world.event(.directChannelUp)
        await world.phone.setOnline(false)
        try await world.phone.sendUpstream(to: "1@x", data: [:], messageID: "m1", timeToLiveSeconds: 3600)
        await world.phone.terminate(byUser: false)
        await world.phone.setOnline(true)
        try await world.phone.launch(foreground: true)
        #expect(await world.event(.didSend, .sendFailed)?.messageID == "m1")
        #expect(world.door.state.withLock { $0.messages.map(\.id) } == ["m1"])
        await world.end()
    }

    @Test func `lets messages expire in virtual time`() async throws {
        let world = try ChannelWorld()
        try await world.phone.launch(foreground: true)
        _ = await world.event(.directChannelUp)
        await world.phone.setOnline(false)
        _ = await world.event(.directChannelDown)
        try await world.phone.sendUpstream(to: "1@x", data: [:], messageID: "m1", timeToLiveSeconds: 3600)
        world.clock.advance(seconds: 3_700)
        let event = await world.event(.didSend, .sendFailed)
        #expect(event?.details["error"]?.string?.hasPrefix("com.google.fcm error 1001") == true)
        await world.end()
    }

    @Test func `stays away from a server that it does not trust`() async throws {
        let world = try ChannelWorld(authority: TestCertificates.otherAuthority)
        try await world.phone.launch(foreground: true)
        _ = try await world.phone.identity(withinSeconds: 30)
        try await world.phone.sendUpstream(to: "1@x", data: [:], messageID: "m1", timeToLiveSeconds: 1)
        world.clock.advance(seconds: 60)
        #expect(await world.event(.directChannelUp, .didSend, .sendFailed)?.kind == .sendFailed)
        #expect(world.door.state.withLock { $0.logins.isEmpty })
        await world.end()
    }

    @Test func `has no channel unless the app asks for it`() async throws {
        let world = try ChannelWorld(opensDirectChannel: false)
        try await world.phone.launch(foreground: true)
        _ = try await world.phone.identity(withinSeconds: 30)
        try await world.phone.sendUpstream(to: "1@x", data: [:], messageID: "m1", timeToLiveSeconds: 1)
        world.clock.advance(seconds: 5)
        #expect(await world.event(.directChannelUp, .didSend, .sendFailed)?.kind == .sendFailed)
        #expect(!world.phone.isDirectChannelUp && world.door.state.withLock { $0.logins.isEmpty })
        await world.end()
    }

    @Test func `sends nothing when the app does not run`() async throws {
        let world = try ChannelWorld()
        await #expect(throws: VirtualIPhone.Failure.notRunning) {
            try await world.phone.sendUpstream(to: "1@x", data: [:], messageID: "m1", timeToLiveSeconds: 1)
        }
        #expect(!world.phone.isDirectChannelUp)
        await world.end()
    }
}
