import MCSWire
import PushCore
import PushModel
import Testing

@testable import DeviceChannel

@Suite(.timeLimit(.minutes(2))) struct `Device channel and messages` {
    @Test func `writes a message to a connected device and ends it with its acknowledgement`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        let client = try await world.connect(device)
        let id = try await world.send(["k": "v"], to: device, collapseKey: "ck", timeToLive: 3_600)
        let message = try #require(await client.messages(1).first)
        #expect(message.category == ChannelWorld.bundleID)
        #expect(message.from == world.project.number.description)
        #expect(message.token == "ck")
        #expect(message.timeToLive == 3_600)
        #expect(message.sent == 1_700_000_000_000)
        #expect(message.appData.contains(DataMessageStanza.AppData(key: "k", value: "v")))
        #expect(message.lastStreamIDReceived == 1)
        #expect(try world.waiting(for: device) == 1)
        client.acknowledge(upTo: 3)
        try await world.wait { try world.waiting(for: device) == 0 }
        try await world.wait { world.journal.outcomes(of: id).count == 1 }
        #expect(world.journal.outcomes(of: id) == [.accepted(providerID: message.persistentID)])
    }

    @Test func `gives APNs nothing that the device acknowledged just before it left`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device(channel: .apple(ChannelWorld.apnsAddress))
        let client = try await world.connect(device)
        let acknowledged = try await world.send(["n": "1"], to: device)
        _ = await client.messages(1)
        let unread = try await world.send(["n": "2"], to: device)
        _ = await client.messages(1)
        client.acknowledge(upTo: 3)
        client.cut()
        try await world.wait { try world.waiting(for: device) == 0 && !world.gateway.submitted.isEmpty }
        #expect(world.gateway.submitted.map(\.message.id) == [unread])
        try await world.wait { world.journal.outcomes(of: acknowledged).count == 1 }
    }

    @Test func `keeps the order of many messages, whether they wait or come while connected`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        for number in 0..<40 { try await world.send(["n": String(number)], to: device) }
        let client = try await world.connect(device)
        for number in 40..<90 { try await world.send(["n": String(number)], to: device) }
        let messages = await client.messages(90)
        #expect(messages.compactMap { $0.appData.first?.value } == (0..<90).map(String.init))
    }

    @Test func `pauses at the window and goes on after acknowledgements`() async throws {
        let world = try await ChannelWorld { $0.unacknowledgedMessages = 10 }
        let device = try await world.device()
        for number in 0..<35 { try await world.send(["n": String(number)], to: device) }
        let client = try await world.connect(device)
        var numbers: [String] = []
        var streamID: Int32 = 2
        for count in [10, 10, 10, 5] {
            numbers += await client.messages(count).compactMap { $0.appData.first?.value }
            streamID += Int32(count)
            #expect(await client.packetsBeforeAnswer().isEmpty)
            streamID += 1
            client.acknowledge(upTo: streamID)
        }
        #expect(numbers == (0..<35).map(String.init))
        try await world.wait { try world.waiting(for: device) == 0 }
    }

    @Test func `takes acknowledgements by name, also of an earlier connection`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        try await world.send(["n": "1"], to: device)
        try await world.send(["n": "2"], to: device)
        let first = try await world.connect(device)
        let ids = await first.messages(2).map(\.persistentID)
        first.send(.iq(.selectiveAck([ids[1]])))
        try await world.wait { try world.waiting(for: device) == 1 }
        first.cut()
        let second = try await world.connect(device)
        #expect(await second.messages(1).map(\.persistentID) == [ids[0]])
        second.send(.iq(.selectiveAck([ids[0], "0:1%0000000000000000", "nonsense"])))
        try await world.wait { try world.waiting(for: device) == 0 }
    }

    @Test func `writes a message that is now or never once, without a name`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        let client = try await world.connect(device)
        let id = try await world.send(["n": "1"], to: device, timeToLive: 0)
        let message = try #require(await client.messages(1).first)
        #expect(message.persistentID.isEmpty)
        #expect(message.timeToLive == 0)
        try await world.wait { try world.waiting(for: device) == 0 }
        try await world.wait { world.journal.outcomes(of: id).count == 1 }
        client.cut()
        let again = try await world.connect(device)
        #expect(await again.packetsBeforeAnswer().isEmpty)
    }

    @Test func `drops what is now or never when the window is full`() async throws {
        let world = try await ChannelWorld { $0.unacknowledgedMessages = 1 }
        let device = try await world.device()
        let client = try await world.connect(device)
        try await world.send(["n": "1"], to: device)
        #expect(await client.messages(1).count == 1)
        let id = try await world.send(["n": "2"], to: device, timeToLive: 0)
        try await world.wait { world.journal.outcomes(of: id).count == 1 }
        #expect(world.journal.outcomes(of: id) == [.expired])
        client.acknowledge(upTo: 3)
        #expect(await client.packetsBeforeAnswer().isEmpty)
    }

    @Test func `bounds what it holds for a device that does not read`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        let other = try await world.device()
        let client = try await world.connect(device)
        let neighbour = try await world.connect(other)
        client.pauseReading()
        let text = String(repeating: "x", count: 3_500)
        for number in 0..<100 { try await world.send(["n": String(number), "text": text], to: device) }
        try await world.send(["n": "0"], to: other)
        #expect(await neighbour.messages(1).count == 1)
        client.resumeReading()
        let numbers = await client.messages(100).compactMap { $0.appData.first?.value }
        #expect(numbers == (0..<100).map(String.init))
    }

    @Test func `says how urgent a message is`() async throws {
        let world = try await ChannelWorld()
        let device = try await world.device()
        try await world.send(["n": "1"], to: device, priority: .high)
        let client = try await world.connect(device)
        try await world.send(["n": "2"], to: device, priority: .normal)
        try await world.send(["n": "3"], to: device)
        #expect(await client.messages(3).map(\.priority) == [10, 5, 5])
    }

    @Test(arguments: [false, true]) func `asks for a prompt acknowledgement when it is told to`(isAsked: Bool)
        async throws
    {
        let world = try await ChannelWorld { $0.wantsPromptAcknowledgements = isAsked }
        let device = try await world.device()
        try await world.send(["n": "1"], to: device)
        let client = try await world.connect(device)
        try await world.send(["n": "2"], to: device)
        try await world.send(["n": "3"], to: device, timeToLive: 0)
        #expect(await client.messages(3).map(\.immediateAck) == (isAsked ? [true, true, nil] : [nil, nil, nil]))
    }

    @Test func `writes one message to devices of several apps as each must read it`() async throws {
        let world = try await ChannelWorld()
        let first = try await world.device("org.example.one")
        let second = try await world.device("org.example.two")
        let third = try await world.device("org.example.one")
        var clients: [DeviceClient] = []
        for device in [first, second, third] { clients.append(try await world.connect(device)) }
        try await world.send(["n": "1"], toEach: [first, second, third])
        var messages: [DataMessageStanza] = []
        for client in clients { messages += await client.messages(1) }
        #expect(messages.map(\.category) == ["org.example.one", "org.example.two", "org.example.one"])
        #expect(Set(messages.map(\.persistentID)).count == 3)
        #expect(messages.allSatisfy { $0.appData == messages[0].appData })
        for (client, message) in zip(clients, messages) { client.send(.iq(.selectiveAck([message.persistentID]))) }
        for device in [first, second, third] { try await world.wait { try world.waiting(for: device) == 0 } }
    }

    @Test func `serves many devices at once`() async throws {
        let world = try await ChannelWorld()
        var clients: [(device: Device, client: DeviceClient)] = []
        for _ in 0..<40 {
            let device = try await world.device()
            clients.append((device, try await world.connect(device)))
        }
        #expect(world.live.count == 40)
        await withThrowingTaskGroup { group in
            for (place, pair) in clients.enumerated() {
                group.addTask { try await world.send(["n": String(place)], to: pair.device) }
            }
        }
        for (place, pair) in clients.enumerated() {
            let message = await pair.client.messages(1).first
            #expect(message?.appData.first?.value == String(place))
        }
        for pair in clients { pair.client.cut() }
        try await world.wait { world.live.count == 0 }
    }
}
