import FirebasePlatform
import Foundation
import MCSWire
import Testing

@testable import FirebaseMessaging

/// What a stanza becomes.
struct MappingRow: Sendable, CustomTestStringConvertible {
    var name: String
    var data: [(String, String)] = []
    var from = "1"
    var token = ""
    var rawData: [UInt8]?
    var payload: [String: PayloadValue]
    var duplicate: DirectMessage.Duplicate?
    var unknownType: String?

    var testDescription: String { name }
}

@Suite struct `Messages of the direct channel` {
    static let rows: [MappingRow] = [
        MappingRow(name: "plain data", data: [("a", "1"), ("b", "")], payload: ["from": "1", "a": "1", "b": ""]),
        MappingRow(name: "no sender", from: "", payload: [:]),
        MappingRow(name: "collapse key", token: "score", payload: ["from": "1", "collapse_key": "score"]),
        MappingRow(name: "the data's own from is left out", data: [("from", "x")], payload: ["from": "1"]),
        MappingRow(
            name: "notification", data: [("gcm.notification.title", "T"), ("gcm.notification.body", "B")],
            payload: ["from": "1", "notification": ["title": "T", "body": "B"]]),
        MappingRow(
            name: "keys of the vendor are dropped",
            data: [("google.c.a.e", "1"), ("Google.x", "1"), ("GOOGLE.", "1"), ("google", "kept")],
            payload: ["from": "1", "google": "kept"]),
        MappingRow(
            name: "other keys of the service are removed",
            data: [("gcm.n.e", "1"), ("gcm.ttl", "60"), ("gcmx", "kept")],
            payload: ["from": "1", "gcmx": "kept"]),
        MappingRow(
            name: "duplex", data: [("gcm.duplex", "1"), ("gcm.ttl", "60"), ("k", "v")],
            payload: ["from": "1", "k": "v"], duplicate: .init(messageID: "p1", timeToLiveSeconds: 60)),
        MappingRow(name: "not duplex", data: [("gcm.duplex", "false")], payload: ["from": "1"]),
        MappingRow(
            name: "the id that the push carries", data: [("gcm.message_id", "m1"), ("gcm.ttl", "nonsense")],
            payload: ["from": "1"], duplicate: .init(messageID: "m1", timeToLiveSeconds: nil)),
        MappingRow(
            name: "the id that the push carries, and duplex", data: [("gcm.message_id", "m1"), ("gcm.duplex", "true")],
            payload: ["from": "1"], duplicate: .init(messageID: "m1", timeToLiveSeconds: nil)),
        MappingRow(name: "an empty id", data: [("gcm.message_id", "")], payload: ["from": "1"]),
        MappingRow(name: "binary data", rawData: [1, 2], payload: ["from": "1"]),
        MappingRow(name: "empty binary data", rawData: [], payload: ["from": "1"]),
        MappingRow(
            name: "the ordinary type", data: [("message_type", "gcm")], payload: ["from": "1", "message_type": "gcm"]),
        MappingRow(
            name: "another type", data: [("message_type", "send_error"), ("gcm.duplex", "1")],
            payload: ["from": "1", "message_type": "send_error"], unknownType: "send_error"),
        MappingRow(
            name: "a repeated key takes its last value", data: [("a", "1"), ("a", "2")],
            payload: ["from": "1", "a": "2"]),
    ]

    @Test(arguments: rows) func `become what the app sees`(row: MappingRow) {
        var stanza = DataMessageStanza.message("p1", row.data)
        stanza.from = row.from
        stanza.token = row.token
        stanza.rawData = row.rawData
        var expected = DirectMessage(DataMessageStanza(), type: "")
        expected.persistentID = "p1"
        expected.payload = row.payload
        expected.rawData = row.rawData == [] ? nil : row.rawData
        expected.duplicate = row.duplicate
        expected.unknownType = row.unknownType
        #expect(DirectMessage.Content(stanza) == .message(expected))
    }

    static let forTheSystem: [(category: String, from: String)] = [
        ("com.google.gcm", "1"), ("com.google.android.gsf.gtalkservice", "gcm@android.com"),
        (TestPhone.bundleID, "mcs.android.com"),
    ]

    @Test(arguments: forTheSystem) func `are swallowed when they are for the system`(
        _ row: (category: String, from: String)
    ) {
        var stanza = DataMessageStanza.message("p1")
        stanza.category = row.category
        stanza.from = row.from
        #expect(DirectMessage.Content(stanza) == .forTheSystem)
    }

    @Test func `reach the delegate with their id`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        var stanza = DataMessageStanza.message("0:1%a", [("gcm.notification.title", "T"), ("k", "v")])
        stanza.rawData = [104, 105]
        channel.send(.dataMessage(stanza), .dataMessage(.message("")), .dataMessage(.message("")))
        phone.drain()
        let messages = phone.delegate.messages.entries
        #expect(messages.map(\.id) == ["0:1%a", "gcm-1", "gcm-2"])
        #expect(messages.last?.data == "from=123456789012 k=v")
        #expect(messages.first?.data.contains(#"notification=["title": "T"]"#) == true)
        #expect(messages.first?.data.contains("rawData=2 bytes") == true)
    }

    @Test func `an unknown type is logged and delivered`() throws {
        let phone = try ChannelPhone()
        try phone.bringUp().send(.dataMessage(.message("p", [("message_type", "send_event")])))
        phone.drain()
        #expect(phone.delegate.messages.entries.count == 1)
        #expect(phone.phone.logCodes.contains("I-FCM018000"))
    }

    @Test func `deleted messages are posted and not delivered`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        channel.send(.dataMessage(.message("p", [("message_type", "deleted_messages"), ("total_deleted", "3")])))
        phone.drain()
        #expect(phone.count(.directChannelMessagesDeleted) == 1)
        #expect(phone.delegate.messages.entries.isEmpty)
        channel.send(.dataMessage(.message("p", [("message_type", "deleted_messages")])))
        phone.drain()
        #expect(phone.count(.directChannelMessagesDeleted) == 1)
    }

    @Test func `are lost with a warning when the delegate does not take them`() throws {
        let phone = try ChannelPhone()
        phone.phone.messaging.delegate = phone.phone.delegate
        let channel = try phone.bringUp()
        channel.send(.dataMessage(.message("p1")))
        phone.drain()
        #expect(phone.phone.logCodes.filter { $0 == "I-FCM002019" }.count == 1)
        phone.phone.messaging.delegate = nil
        channel.send(.dataMessage(.message("p2")))
        phone.drain()
        #expect(phone.phone.logCodes.filter { $0 == "I-FCM002019" }.count == 2)
    }

    @Test func `reach a delegate that uses the names of older versions`() throws {
        final class Older: MessagingDelegate {
            let ids = Record<String>()
            @available(*, deprecated)
            func application(received remoteMessage: MessagingRemoteMessage) { ids.append(remoteMessage.messageID) }
        }
        final class Oldest: MessagingDelegate {
            let ids = Record<String>()
            @available(*, deprecated)
            func applicationReceivedRemoteMessage(_ remoteMessage: MessagingRemoteMessage) {
                ids.append(remoteMessage.messageID)
            }
        }
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        let (older, oldest) = (Older(), Oldest())
        phone.phone.messaging.delegate = older
        channel.send(.dataMessage(.message("p1")))
        phone.drain()
        phone.phone.messaging.delegate = oldest
        channel.send(.dataMessage(.message("p2")))
        phone.drain()
        #expect(older.ids.entries == ["p1"] && oldest.ids.entries == ["p2"])
    }
}

@Suite struct `Messages that came before, over both ways` {
    private func push(_ id: String, to phone: ChannelPhone) {
        _ = phone.phone.messaging.appDidReceiveMessage([
            "aps": ["content-available": 1], "gcm.message_id": id, "gcm.app_link": "https://example.com",
        ])
        phone.drain()
    }

    private func isNewPush(_ id: String, on phone: ChannelPhone) -> Bool {
        let before = phone.device.links.record.entries.count
        push(id, to: phone)
        return phone.device.links.record.entries.count > before
    }

    @Test(arguments: [("gcm.duplex", "1"), ("gcm.message_id", "p1")])
    func `a push is not delivered again over the channel`(mark: (String, String)) throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        push("p1", to: phone)
        channel.send(.dataMessage(.message("p1", [mark])), .dataMessage(.message("p2", [("gcm.duplex", "1")])))
        phone.drain()
        #expect(phone.delegate.messages.entries.map(\.id) == ["p2"])
    }

    @Test func `a message of the channel counts when its push comes, after a launch too`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        channel.send(.dataMessage(.message("x", [("gcm.message_id", "m1")])))
        channel.send(.dataMessage(.message("y", [("gcm.message_id", "m2")])))
        phone.drain()
        #expect(!isNewPush("m1", on: phone))
        #expect(isNewPush("m3", on: phone))
        try phone.relaunch()
        #expect(!isNewPush("m2", on: phone))
    }

    @Test func `a row lives as long as the message`() throws {
        let phone = try ChannelPhone()
        try phone.bringUp().send(.dataMessage(.message("x", [("gcm.message_id", "m1"), ("gcm.ttl", "60")])))
        phone.drain()
        phone.wait(seconds: 60)
        try phone.relaunch()
        #expect(isNewPush("m1", on: phone))
    }

    @Test func `a message that is on one way only leaves no row`() throws {
        let phone = try ChannelPhone()
        try phone.bringUp().send(.dataMessage(.message("x")))
        phone.drain()
        #expect(phone.device.files.files[ReceivedMessages.path] == nil)
    }

    @Test func `a server that repeats itself is not believed`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        for _ in 0..<2 { channel.send(.dataMessage(.message("p1"))) }
        _ = try channel.packets()
        channel.confirm()
        channel.send(.dataMessage(.message("p1")), .dataMessage(.message("p2")))
        phone.drain()
        #expect(phone.delegate.messages.entries.map(\.id) == ["p1", "p2"])
    }
}

@Suite struct `Messages that the server may not know to have come` {
    @Test func `are named at the next login, on this launch and the next`() throws {
        let phone = try ChannelPhone()
        let first = try phone.bringUp()
        first.send(.dataMessage(.message("p1")), .dataMessage(.message("p2")))
        first.stream.end(.networkConnectionLost)
        phone.drain()
        phone.wait(seconds: 2)
        let second = try phone.channel()
        #expect(try second.logIn().receivedPersistentIDs == ["p1", "p2"])
        phone.drain()
        second.send(.dataMessage(.message("p3")))
        phone.drain()
        try phone.relaunch()
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        #expect(try phone.channel().logIn().receivedPersistentIDs == ["p3"])
        phone.drain()
        #expect(phone.device.files.files[UnconfirmedIDs.path] == nil)
    }

    @Test func `are kept until the count of the server covers the acknowledgement`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        _ = try channel.packets()
        channel.send(.dataMessage(.message("p1")))
        channel.confirm()  // Covers no packet that told of p1. It is answered by one that does.
        phone.drain()
        #expect(phone.device.files.files[UnconfirmedIDs.path] != nil)
        _ = try channel.packets()
        channel.confirm()
        phone.drain()
        #expect(phone.device.files.files[UnconfirmedIDs.path] == nil)
    }

    @Test func `do not come again, whatever the server does`() throws {
        let phone = try ChannelPhone()
        try phone.bringUp().send(.dataMessage(.message("p1")))
        phone.drain()
        try phone.relaunch()
        phone.calls.shouldEstablishDirectChannel = true
        phone.drain()
        let channel = try phone.channel()
        channel.stream.open()
        _ = try channel.packets()
        channel.send(.loginResponse(LoginResponse(id: "x")), .dataMessage(.message("p1")), .dataMessage(.message("p2")))
        phone.drain()
        #expect(phone.delegate.messages.entries.map(\.id) == ["p2"])
    }

    @Test func `are forgotten with the device that they were for`() throws {
        let phone = try ChannelPhone()
        try phone.bringUp().send(.dataMessage(.message("p1")))
        phone.drain()
        phone.phone.messaging.deleteData { _ in }
        phone.drain()
        #expect(try phone.channel().logIn().receivedPersistentIDs == [])
    }

    @Test func `are at most a thousand`() {
        var ids = UnconfirmedIDs()
        for number in 0..<1500 {
            let isNew = ids.insert("\(number)")
            #expect(isNew)
        }
        #expect(ids.ids.count == 1000 && ids.ids.first == "500")
    }

    @Test func `a store that fails costs nothing but repetition`() throws {
        let phone = try ChannelPhone()
        let channel = try phone.bringUp()
        phone.device.files.fail(with: FileStoreError(reason: "disk full"), whenReading: false)
        channel.send(.dataMessage(.message("p1")))
        phone.drain()
        #expect(phone.delegate.messages.entries.count == 1)
        #expect(phone.phone.logCodes.contains("I-FCM018001"))
    }

    @Test(arguments: ["", "[]", "{", #"{"ids":7}"#, #"{"device":1,"ids":["a",7]}"#])
    func `a damaged file is survived`(text: String) {
        let files = InMemoryFiles(files: [UnconfirmedIDs.path: Array(text.utf8)])
        #expect(UnconfirmedIDs(in: files).ids == (text.contains("[\"a\"") ? ["a"] : []))
    }
}
