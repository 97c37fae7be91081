import MCSWire
import PushCore
import PushModel
import Testing
import Timekeeping

@testable import DeviceChannel

@Suite(.timeLimit(.minutes(2))) struct `Device channel cases` {
    @Test func `MCS-01 persistent ids come back until named at the next login`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        try await world.send(["n": "1"], to: device)
        try await world.send(["n": "2"], to: device)
        let first = try await world.connect(device)
        let ids = await first.messages(2).map(\.persistentID)
        first.cut()
        let again = try await world.connect(device)
        #expect(await again.messages(2).map(\.persistentID) == ids)
        again.cut()
        let named = try await world.connect(device, received: ids)
        #expect(await named.packetsBeforeAnswer().isEmpty)
        named.cut()
        let last = try await world.connect(device)
        #expect(await last.packetsBeforeAnswer().isEmpty)
        #expect(try world.waiting(for: device) == 0)
    }

    @Test func `MCS-02 every queued message has a stable persistent_id`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        for number in 1...5 { try await world.send(["n": String(number)], to: device) }
        let first = try await world.connect(device)
        let before = await first.messages(5)
        #expect(Set(before.map(\.persistentID)).count == 5)
        #expect(before.allSatisfy { !$0.persistentID.isEmpty })
        first.cut()
        let after = await (try world.connect(device)).messages(5)
        #expect(after.map(\.persistentID) == before.map(\.persistentID))
        #expect(after.map(\.appData) == before.map(\.appData))
    }

    @Test func `MCS-04 login with a wrong security token`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        let client = world.connect()
        client.send([41])
        client.send(.loginRequest(device.login(securityToken: 1)))
        let packets = await client.rest()
        guard packets.count == 1, case .loginResponse(let response) = packets[0] else {
            Issue.record("not one login response: \(packets)")
            return
        }
        #expect(response.error?.code == 401)
        #expect(world.live.count == 0)
    }

    @Test func `MCS-07 version byte and sizes above 127`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        let received = (0..<20).map { "0:1700000000000000%\(String(repeating: "0", count: 13))\(100 + $0)" }
        let login = MCSPacket.loginRequest(device.login(received: received)).frame
        #expect(login.count > 600)
        let client = world.connect()
        client.send([41] + login)
        try await client.expectLogin()
        let text = String(repeating: "x", count: 3_900)
        try await world.send(["k": text], to: device)
        let message = try #require(await client.messages(1).first)
        #expect(message.appData.first?.value == text)
        #expect(client.received.prefix(2) == [41, MCSTag.loginResponse.rawValue])
    }

    @Test func `MCS-09 second connection with the same device id`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        let older = try await world.connect(device)
        let newer = try await world.connect(device)
        #expect(await older.rest() == [.close])
        try await world.send(["n": "1"], to: device)
        #expect(await newer.messages(1).count == 1)
        #expect(await newer.packetsBeforeAnswer().isEmpty)
        #expect(world.live.count == 1)
    }

    @Test func `MCS-11 collapse_key while offline`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        for number in 1...5 { try await world.send(["n": String(number)], to: device, collapseKey: "score") }
        let client = try await world.connect(device)
        let message = try #require(await client.messages(1).first)
        #expect(message.appData.contains(DataMessageStanza.AppData(key: "n", value: "5")))
        #expect(message.token == "score")
        #expect(await client.packetsBeforeAnswer().isEmpty)
    }

    @Test func `MCS-12 ttl passed while offline`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        let short = try await world.send(["n": "1"], to: device, timeToLive: 2)
        let now = try await world.send(["n": "2"], to: device, timeToLive: 0)
        world.clock.advance(seconds: 5)
        let client = try await world.connect(device)
        #expect(await client.packetsBeforeAnswer().isEmpty)
        try await world.wait { try world.waiting(for: device) == 0 }
        #expect(world.journal.outcomes(of: short) == [.expired])
        #expect(world.journal.outcomes(of: now).allSatisfy { $0 == .expired })
    }
}
