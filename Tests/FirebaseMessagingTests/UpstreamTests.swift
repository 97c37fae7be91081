import FirebasePlatform
import Foundation
import MCSWire
import PropertyTesting
import Synchronization
import Testing

@testable import FirebaseMessaging

@Suite struct `Messages to the app's server` {
    @Test func `travel with everything the server needs`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        _ = try channel.packets()
        let data: [AnyHashable: Any] = [
            "text": "t", "whole": 7, "half": 1.5, "round": 2.0, "flag": true, "collapse_key": "score",
            "rawData": Data([1, 2]),
        ]
        phone.send("m1", data, to: "123@gcm.googleapis.com", ttl: 60)
        let stanza = try #require(try channel.packets().dataMessages.first)
        #expect(stanza.id == "m1" && stanza.to == "123@gcm.googleapis.com" && stanza.from.isEmpty)
        #expect(stanza.category == TestPhone.bundleID && stanza.token == "score")
        let expected = [
            ("collapse_key", "score"), ("flag", "1"), ("half", "1.5"), ("round", "2"), ("text", "t"), ("whole", "7"),
        ]
        #expect(stanza.appData == expected.map { DataMessageStanza.AppData(key: $0.0, value: $0.1) })
        #expect(stanza.rawData == [1, 2])
        #expect(stanza.timeToLive == 60 && stanza.sent == 1_700_000_000 && stanza.queued == nil)
        #expect(UInt64(stanza.persistentID) != nil)
        #expect(stanza.lastStreamIDReceived == nil)
    }

    @Test func `leave out what cannot travel, and say so`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        _ = try channel.packets()
        phone.send(
            "m1", ["a": ["b"], "c": Data([1]), "rawData": "text", 7: "x", "d": "e", "n": Optional<Any>.none as Any])
        let stanza = try #require(try channel.packets().dataMessages.first)
        #expect(stanza.appData.map(\.key) == ["d", "rawData"] && stanza.rawData == nil)
        #expect(phone.phone.logCodes.filter { $0 == "I-FCM003000" }.count == 4)
    }

    /// To the receiver, the data, and the code.
    static let refused: [(name: String, receiver: String, data: [String: String], code: Int)] = [
        ("no receiver", "", ["k": "v"], 1003),
        ("no receiver and too much data", "", ["k": String(repeating: "x", count: 5000)], 1003),
        ("one too many", "x", ["k": String(repeating: "x", count: 4096)], 1005),
        (
            "one too many over two keys", "x",
            ["k": String(repeating: "x", count: 4000), "l": String(repeating: "y", count: 95)], 1005
        ),
    ]

    @Test(arguments: refused)
    func `are refused with a code`(_ row: (name: String, receiver: String, data: [String: String], code: Int)) throws {
        let phone = try ChannelPhone()
        try phone.bringUp()
        phone.send("m1", row.data, to: row.receiver)
        #expect(phone.endings == ["m1:\(row.code)"])
    }

    @Test func `need a check-in first of all`() throws {
        let phone = try ChannelPhone(registers: false)
        phone.send("m1", to: "")
        #expect(phone.endings == ["m1:501"])
    }

    @Test func `have room for 4096 characters, counted as UTF-16`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        phone.send("fits", ["k": String(repeating: "x", count: 4095)])
        phone.send("emoji fits", ["kk": String(repeating: "😀", count: 2047)])
        phone.send("emoji does not", ["kk": String(repeating: "😀", count: 2048)])
        phone.send("bytes fit", ["rawData": Data(count: 4089)])
        phone.send("bytes do not", ["rawData": Data(count: 4090)])
        #expect(phone.endings == ["emoji does not:1005", "bytes do not:1005"])
        #expect(try channel.packets().dataMessages.map(\.id) == ["fits", "emoji fits", "bytes fit"])
    }

    @Test(
        arguments: [(-1, 86400), (.min, 86400), (1, 1), (86400, 86400), (86401, 86400), (.max, 86400)]
            as [(Int64, Int32)])
    func `live a day at most`(given: Int64, sent: Int32) throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        phone.send("m1", ttl: given)
        #expect(try channel.packets().dataMessages.map(\.timeToLive) == [sent])
    }

    @Test func `succeed when the server's count covers them, once`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        phone.send("m1")
        phone.send("m2")
        #expect(phone.endings.isEmpty)
        _ = try channel.packets()
        channel.confirm()
        phone.drain()
        channel.confirm()
        phone.drain()
        #expect(phone.endings == ["m1", "m2"])
        #expect(
            phone.device.files.files.keys.filter { $0.contains("/upstream/") && !$0.hasSuffix("index.json") }.isEmpty)
    }

    @Test func `succeed when the server names them, and the others are not sent again`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        phone.send("m1")
        phone.send("m2")
        let sent = try channel.packets().dataMessages
        channel.send(.iq(.selectiveAck([try #require(sent.last).persistentID])))
        phone.drain()
        #expect(phone.endings == ["m2"])
        #expect(try channel.packets().dataMessages.isEmpty)
    }

    @Test func `that wait go right after the login, in order, once, without being asked for`() throws {
        let phone = try ChannelPhone()
        for id in ["m1", "m2", "m3"] { phone.send(id) }
        #expect(phone.attempts == 0)
        phone.wait(seconds: 5)
        let channel = try phone.bringUp()
        let sent = try channel.packets().dataMessages
        #expect(sent.map(\.id) == ["m1", "m2", "m3"] && sent.map(\.queued) == [5, 5, 5])
        channel.send(.iq(.selectiveAck([])))
        phone.drain()
        #expect(try channel.packets().dataMessages.isEmpty)
    }

    @Test func `that the server names beside its answer to the login are not sent again`() throws {
        let phone = try ChannelPhone()
        let first = try phone.bringUp()
        phone.send("m1")
        phone.send("m2")
        let sent = try first.packets().dataMessages
        first.stream.end(.networkConnectionLost)
        phone.drain()
        phone.wait(seconds: 2)
        let second = try phone.channel()
        second.stream.open()
        _ = try second.packets()
        second.send(.loginResponse(LoginResponse(id: "x")), .iq(.selectiveAck([sent[0].persistentID])))
        phone.drain()
        #expect(phone.endings == ["m1"])
        #expect(try second.packets().dataMessages.map(\.id) == ["m2"])
    }

    @Test func `keep their id from login to login and from launch to launch`() throws {
        let phone = try ChannelPhone()
        phone.send("m1", ["k": "v", "rawData": Data([0, 255])])
        let first = try phone.bringUp()
        let once = try #require(try first.packets().dataMessages.first)
        first.stream.end()
        phone.drain()
        phone.wait(seconds: 2)
        let second = try phone.acceptLogin()
        var twice = try #require(try second.packets().dataMessages.first)
        #expect(twice.queued == 2)
        try phone.relaunch()
        let third = try phone.bringUp()
        var thrice = try #require(try third.packets().dataMessages.first)
        twice.queued = nil
        thrice.queued = nil
        #expect(once == twice && twice == thrice)
        third.confirm()
        phone.drain()
        #expect(phone.endings == ["m1"])
        try phone.relaunch()
        #expect(try phone.bringUp().packets().dataMessages.isEmpty)
    }

    @Test func `have ids that no earlier launch gave, even if the store is lost`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        phone.send("m1")
        phone.send("m2")
        let ids = try channel.packets().dataMessages.compactMap { UInt64($0.persistentID) }
        #expect(ids.count == 2 && ids[0] < ids[1])
        for path in phone.device.files.files.keys where path.contains("/upstream/") {
            try phone.device.files.remove(path)
        }
        phone.wait(seconds: 0.001)
        try phone.relaunch()
        let next = try phone.bringUp()
        phone.send("m3")
        let later = try next.packets().dataMessages.compactMap { UInt64($0.persistentID) }
        #expect(later.count == 1 && later[0] > ids[1])
    }

    @Test func `hurry a channel that pauses, if there is a network`() throws {
        let phone = try ChannelPhone()
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        try phone.channel().stream.end(.cannotConnectToHost)
        phone.drain()
        phone.send("m1")
        #expect(phone.attempts == 2)
        phone.setNetwork(false)
        try phone.channel().stream.end(.notConnectedToInternet)
        phone.drain()
        phone.send("m2")
        #expect(phone.attempts == 2)
        phone.setNetwork(true)
        try phone.acceptLogin()
        #expect(try phone.channel().packets().dataMessages.map(\.id) == ["m1", "m2"])
    }

    @Test func `do not bring up a channel that nobody wants`() throws {
        let phone = try ChannelPhone()
        phone.send("m1")
        phone.wait(seconds: 100)
        #expect(phone.attempts == 0)
    }

    @Test func `expire with 1001 when their time is over, and not before`() throws {
        let phone = try ChannelPhone()
        phone.send("m1", ttl: 10)
        phone.send("m2", ttl: 100)
        phone.wait(seconds: 10)
        #expect(phone.endings.isEmpty)
        phone.wait(seconds: 1)
        #expect(phone.endings == ["m1:1001"])
        #expect(try phone.bringUp().packets().dataMessages.map(\.id) == ["m2"])
    }

    @Test func `expire between launches`() throws {
        let phone = try ChannelPhone()
        phone.send("m1", ttl: 10)
        phone.device.clock.advance(seconds: 11)
        try phone.relaunch()
        #expect(phone.endings == ["m1:1001"])
        try phone.relaunch()
        #expect(phone.endings.isEmpty)
    }

    @Test func `under way, do not expire as long as the connection may still confirm them`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        phone.send("m1", ttl: 5)
        phone.send("m2", ttl: 5)
        _ = try channel.packets()
        phone.wait(seconds: 10)
        #expect(phone.endings.isEmpty)
        channel.send(.heartbeatPing(Heartbeat(lastStreamIDReceived: 3)))
        phone.drain()
        channel.stream.end()
        phone.drain()
        #expect(phone.endings == ["m1", "m2:1001"])
    }

    @Test func `cannot be more than a thousand, and fail with 1004 when they cannot be stored`() throws {
        let phone = try ChannelPhone()
        for number in 0..<1000 {
            phone.calls.sendMessage([:], to: "x", withMessageID: "\(number)", timeToLive: 60)
        }
        phone.drain()
        #expect(phone.endings.isEmpty)
        phone.send("one more")
        #expect(phone.endings == ["one more:1004"])
        let channel = try phone.bringUp()
        #expect(try channel.packets().dataMessages.map(\.id) == (0..<1000).map { "\($0)" })
        channel.confirm()
        phone.drain()
        #expect(phone.endings.count == 1001)
        phone.device.files.fail(with: FileStoreError(reason: "disk full"), whenReading: false)
        phone.send("full")
        phone.device.files.fail(with: nil)
        phone.send("room")
        #expect(phone.endings.last == "full:1004")
        #expect(try channel.packets().dataMessages.map(\.id) == ["room"])
    }

    @Test(arguments: ["", "{", "[]", #"{"files":[-1,1000,7,"x",0,0]}"#]) func `a damaged store is survived`(
        index: String
    ) throws {
        let phone = try ChannelPhone()
        phone.send("m1")
        let path = "Google/FirebaseMessaging/upstream/index.json"
        #expect(phone.device.files.files[path] != nil)
        try phone.device.files.write(Array(index.utf8), to: path)
        try phone.device.files.write([8, 1, 1], to: "Google/FirebaseMessaging/upstream/7")
        try phone.relaunch()
        let sent = try phone.bringUp().packets().dataMessages.map(\.id)
        #expect(sent == (index.contains("0,0") ? ["m1"] : []))
    }
}

@Suite struct `Messages to the app's server without time to live` {
    @Test func `go when the channel is up, and nobody hears of it`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        phone.send("m1", ttl: 0)
        let stanza = try #require(try channel.packets().dataMessages.first)
        #expect(stanza.persistentID.isEmpty && stanza.timeToLive == 0)
        channel.confirm()
        phone.drain()
        #expect(phone.endings.isEmpty)
    }

    @Test func `wait for the login when there is a network`() throws {
        let phone = try ChannelPhone()
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        phone.send("m1", ttl: 0)
        try phone.acceptLogin()
        #expect(try phone.channel().packets().dataMessages.map(\.id) == ["m1"])
        try phone.relaunch()
        #expect(try phone.bringUp().packets().dataMessages.isEmpty)
    }

    @Test func `are dropped when the attempt fails`() throws {
        let phone = try ChannelPhone()
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        phone.send("m1", ttl: 0)
        try phone.channel().stream.end(.cannotConnectToHost)
        phone.drain()
        phone.wait(seconds: 2)
        #expect(try phone.acceptLogin().packets().dataMessages.isEmpty)
        #expect(phone.endings.isEmpty)
    }

    @Test func `fail with 4 without a network`() throws {
        let phone = try ChannelPhone()
        phone.setNetwork(false)
        phone.send("m1", ttl: 0)
        #expect(phone.endings == ["m1:4"])
    }

    @Test func `a message without an id is sent and not kept`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        phone.send("", ttl: 60)
        #expect(try channel.packets().dataMessages.map(\.persistentID) == [""])
        channel.stream.end()
        phone.drain()
        phone.wait(seconds: 2)
        #expect(try phone.acceptLogin().packets().dataMessages.isEmpty)
    }
}

@Suite struct `Messages to the app's server, whatever happens` {
    /// A server that reads, remembers by id, and confirms when it feels like it.
    private struct Server {
        var has: Set<String> = []

        mutating func take(_ channel: FakeChannel, random: inout SeededGenerator) throws {
            for stanza in try channel.packets().dataMessages { has.insert(stanza.id) }
            if Bool.random(using: &random) { channel.confirm() }
        }
    }

    /// Each message ends in exactly one way; each that succeeded reached the server; and each that the server never saw
    /// failed.
    @Test(arguments: 0..<60) func `each ends exactly once`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let phone = try ChannelPhone()
        var server = Server()
        var sent: [String] = []
        var endings: [String] = []
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        for step in 0..<80 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1, 2:
                let id = "m\(step)"
                sent.append(id)
                phone.send(id, ttl: Int64.random(in: 1...200, using: &random))
            case 3, 4, 5:
                guard phone.attempts > 0 else { continue }
                let channel = try phone.channel()
                if !phone.isUp, (try? channel.logIn()) == nil { continue }
                phone.drain()
                try server.take(channel, random: &random)
                phone.drain()
            case 6:
                if phone.attempts > 0 { try phone.channel().stream.end(.networkConnectionLost) }
                phone.drain()
            case 7: phone.wait(seconds: Double.random(in: 0...30, using: &random))
            case 8: phone.setNetwork(Bool.random(using: &random))
            default:
                guard step % 3 == 0 else { continue }
                endings += phone.endings
                try phone.relaunch()
                phone.calls.shouldEstablishDirectChannel = true
                phone.drain()
            }
        }
        phone.setNetwork(true)
        phone.wait(seconds: 2000)
        if phone.attempts > 0, !phone.isUp { _ = try? phone.acceptLogin() }
        if phone.isUp {
            let channel = try phone.channel()
            for stanza in try channel.packets().dataMessages { server.has.insert(stanza.id) }
            channel.confirm()
            phone.drain()
        }
        phone.wait(seconds: 300)
        endings += phone.endings
        let ended = endings.map { String($0.prefix { $0 != ":" }) }
        #expect(ended.sorted() == sent.sorted())
        for ending in endings where !ending.contains(":") { #expect(server.has.contains(ending)) }
        for id in sent where !server.has.contains(id) { #expect(endings.contains("\(id):1001")) }
    }
}
