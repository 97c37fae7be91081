import HTTPSemantics
import JSON
import Testing

@testable import APNsSimulator

@Suite struct `Broadcast channels` {
    private static let channelsPath = "/1/apps/" + Fixture.bundleID + "/channels"
    private static let broadcastPath = "/4/broadcasts/apps/" + Fixture.bundleID
    private static let policy = Array(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8)

    private func call(
        _ fixture: Fixture, _ sender: Sender, _ method: String, _ path: String, channel: String? = nil,
        _ headers: [String: String?] = [:], body: [UInt8] = []
    ) async -> Answer {
        var headers = headers
        headers[":method"] = method
        headers[":path"] = path
        headers["apns-topic"] = .some(nil)
        if headers["apns-push-type"] == nil { headers["apns-push-type"] = .some(nil) }
        if let channel { headers["apns-channel-id"] = channel }
        return await sender.send(fixture.fields(headers), body: body)
    }

    @Test func `are created, read, listed and deleted`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        let requestID = "7a9c1f0e-3b52-4d8a-9c11-0a1b2c3d4e5f"
        let created = await call(
            fixture, sender, "POST", Self.channelsPath, ["apns-request-id": requestID], body: Self.policy)
        #expect(created.status == 201)
        #expect(created.fields["apns-request-id"] == requestID)
        let id = try #require(created.fields["apns-channel-id"])
        let read = await call(fixture, sender, "GET", Self.channelsPath, channel: id)
        #expect(read.body == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        let list = await call(fixture, sender, "GET", "/1/apps/\(Fixture.bundleID)/all-channels")
        #expect(try JSONValue(parsing: list.body ?? "") == ["channels": [.string(id)]])
        #expect(await call(fixture, sender, "DELETE", Self.channelsPath, channel: id).status == 204)
        let gone = await call(fixture, sender, "GET", Self.channelsPath, channel: id)
        #expect(gone.body == #"{"reason":"ChannelNotRegistered"}"#)
        sender.close()
    }

    @Test func `carry broadcasts to the devices that follow them, and keep the latest for absent ones`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        let created = await call(fixture, sender, "POST", Self.channelsPath, body: Self.policy)
        let id = try #require(created.fields["apns-channel-id"])
        fixture.simulator.device("stranger").register(bundleID: Fixture.bundleID)
        fixture.device.follow(channel: id)
        fixture.device.setOnline(false)
        for text in ["1", "2"] {
            let answer = await call(
                fixture, sender, "POST", Self.broadcastPath, channel: id,
                ["apns-push-type": "liveactivity", "apns-expiration": "1900000000"],
                body: Array(#"{"aps":{"event":"update","n":\#(text)}}"#.utf8))
            #expect(answer.status == 200)
            #expect(answer.fields["apns-request-id"] != nil)
        }
        fixture.device.setOnline(true)
        let delivered = fixture.device.deliveries().map { String(decoding: $0.push.payload, as: UTF8.self) }
        #expect(delivered == [#"{"aps":{"event":"update","n":2}}"#])
        #expect(fixture.simulator.device("stranger").deliveries().isEmpty)
        sender.close()
    }

    struct BadCall: Sendable {
        var method = "POST"
        var path = Broadcast.path
        var channel: String?
        var headers: [String: String?] = [:]
        var body: [UInt8] = []
        let reason: RejectionReason
    }

    private enum Broadcast {
        static let path = "/4/broadcasts/apps/com.example.pushdemo"
        static let headers: [String: String?] = ["apns-push-type": "liveactivity", "apns-expiration": "0"]
    }

    @Test(arguments: [
        BadCall(method: "PUT", path: "/1/apps/com.example.pushdemo/channels", reason: .methodNotAllowed),
        BadCall(method: "GET", reason: .methodNotAllowed),
        BadCall(path: "/1/apps//channels", reason: .badPath),
        BadCall(path: "/1/apps/com.example.pushdemo/shoes", reason: .badPath),
        BadCall(path: "/1/apps/com.example.pushdemo/channels/more", reason: .badPath),
        BadCall(path: "/1/apps/com.example.pushdemo/channels", reason: .badRequestPayload),
        BadCall(path: "/1/apps/com.example.pushdemo/channels", body: Array("{}".utf8), reason: .missingPushType),
        BadCall(
            path: "/1/apps/com.example.pushdemo/channels", body: Array(#"{"push-type":"Alert"}"#.utf8),
            reason: .invalidPushType),
        BadCall(
            path: "/1/apps/com.example.pushdemo/channels",
            body: Array(#"{"push-type":"LiveActivity","message-storage-policy":2}"#.utf8), reason: .badRequestPayload),
        BadCall(headers: Broadcast.headers, reason: .missingChannelID),
        BadCall(channel: "not base64!", headers: Broadcast.headers, reason: .badChannelID),
        BadCall(channel: "AAAA", headers: Broadcast.headers, reason: .channelNotRegistered),
        BadCall(headers: ["authorization": nil], reason: .missingProviderToken),
        BadCall(headers: ["apns-request-id": "5"], reason: .badMessageID),
    ])
    func `refuse`(bad: BadCall) async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        let answer = await call(
            fixture, sender, bad.method, bad.path, channel: bad.channel, bad.headers, body: bad.body)
        #expect(answer.status == bad.reason.status)
        #expect(answer.body == #"{"reason":"\#(bad.reason.rawValue)"}"#)
        sender.close()
    }

    @Test func `that store nothing need expiration 0, and all need push type and payload`() async throws {
        let fixture = try Fixture()
        let sender = try fixture.sender()
        let policy = Array(#"{"message-storage-policy":0,"push-type":"LiveActivity"}"#.utf8)
        let created = await call(fixture, sender, "POST", Self.channelsPath, body: policy)
        let id = try #require(created.fields["apns-channel-id"])
        let body = Array("{}".utf8)
        let rows: [([String: String?], [UInt8], String?)] = [
            (["apns-push-type": "liveactivity", "apns-expiration": "9"], body, "BadExpirationDate"),
            (["apns-expiration": "0"], body, "MissingPushType"),
            (["apns-push-type": "alert", "apns-expiration": "0"], body, "InvalidPushType"),
            (Broadcast.headers, [], "PayloadEmpty"),
            (Broadcast.headers, Array(repeating: 0x20, count: 5121), "PayloadTooLarge"),
            (Broadcast.headers, body, nil),
        ]
        for (headers, body, reason) in rows {
            let answer = await call(fixture, sender, "POST", Self.broadcastPath, channel: id, headers, body: body)
            #expect(answer.body == (reason.map { #"{"reason":"\#($0)"}"# } ?? ""))
        }
        sender.close()
    }
}
