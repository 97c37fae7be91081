import AppServerTesting
import HTTPSemantics
import JSON
import LegacyAPI
import PushCore
import PushModel
import Testing

@Suite struct `Legacy sends` {
    @Test func `to one token answer with one result`() async throws {
        let door = try await LegacyDoor()
        let token = try await door.world.register(1).token
        let answer = await door.send(#"{"to":"\#(token)","data":{"k":"v"}}"#)
        #expect(answer.status == 200 && answer.fields["content-type"] == "application/json; charset=UTF-8")
        #expect(answer.results == ["ok"] && answer.counts == [1, 0, 0])
        #expect(try #require(answer.json["multicast_id"]?.int64) > 0)
        #expect(door.world.platform.submitted.map(\.message.message.data) == [[.init(key: "k", value: "v")]])
    }

    @Test func `to many keep the order of the request, whatever becomes of each`() async throws {
        let door = try await LegacyDoor()
        let world = door.world
        let (alive, renewed) = (try await world.register(1).token, try await world.renewedToken(2))
        let dead = try await world.deadToken(3)
        let other = try await world.register(4, in: world.otherProject).token
        let failing = try await world.register(5)
        world.platform.fail(failing.registration, with: SendError(.deviceQuotaExceeded, "", retryAfterSeconds: 7))
        let list = [dead, alive, "bogus", renewed.earlier, other, failing.token, renewed.current]
        let answer = await door.send(
            JSONValue.object(["registration_ids": .array(list.map { .string($0) })]).text)
        #expect(
            answer.results == [
                "NotRegistered", "ok", "InvalidRegistration", "ok>\(renewed.current)", "MismatchSenderId",
                "DeviceMessageRateExceeded", "ok",
            ])
        #expect(answer.counts == [3, 4, 1])
        #expect(answer.fields["retry-after"] == "7")
    }

    @Test func `to a thousand tokens have a thousand results`() async throws {
        let door = try await LegacyDoor()
        let token = try await door.world.register(1).token
        let list = [token] + (1..<1000).map { "bogus-\($0)" }
        let answer = await door.send(JSONValue.object(["registration_ids": .array(list.map { .string($0) })]).text)
        #expect(answer.results.count == 1000 && answer.results.first == "ok" && answer.counts == [1, 999, 0])
    }

    @Test func `go to a FID in a token's place`() async throws {
        let door = try await LegacyDoor()
        let fid = try await door.world.register(1).registration.fid
        #expect(await door.send(#"{"to":"\#(fid)"}"#).results == ["ok"])
    }

    @Test func `of another package reach nobody`() async throws {
        let door = try await LegacyDoor()
        let token = try await door.world.register(1).token
        let refused = await door.send(#"{"to":"\#(token)","restricted_package_name":"com.example.other"}"#)
        #expect(refused.results == ["InvalidPackageName"] && door.world.platform.submitted.isEmpty)
        let taken = await door.send(#"{"to":"\#(token)","restricted_package_name":"\#(AppServerWorld.bundleID)"}"#)
        #expect(taken.results == ["ok"])
    }

    @Test func `that are a dry run are checked and stay here`() async throws {
        let door = try await LegacyDoor()
        let token = try await door.world.register(1).token
        let answer = await door.send(#"{"registration_ids":["\#(token)","bogus"],"dry_run":true}"#)
        #expect(answer.results == ["ok", "InvalidRegistration"])
        #expect(answer.json["results"]?[0]?["message_id"] == "fake_message_id")
        let topic = await door.send(#"{"to":"/topics/a","dry_run":true}"#)
        #expect(topic.json["message_id"]?.int64 != nil)
        #expect(door.world.platform.submitted.isEmpty && door.world.fanOuts.submitted.isEmpty)
    }

    @Test func `without a target say so in a result`() async throws {
        let answer = await (try await LegacyDoor()).send(#"{"data":{"a":"1"}}"#)
        #expect(answer.status == 200 && answer.results == ["MissingRegistration"])
    }

    // MARK: Topics and conditions

    @Test func `to a topic answer with a number alone`() async throws {
        let door = try await LegacyDoor()
        let answer = await door.send(#"{"to":"/topics/nobody","data":{"a":"1"}}"#)
        #expect(answer.json.names == ["message_id"])
        #expect(try #require(answer.json["message_id"]?.int64) > 0)
        #expect(door.world.fanOuts.submitted.map(\.target) == [.topic(TopicName("nobody")!)])
    }

    static let conditions: [(String, Bool)] = [
        ("'a' in topics", true), ("!('a' in topics) && 'b' in topics", true),
        ("'a' in topics || ('b' in topics && 'c' in topics)", true), ("'a' in topics &&", false),
        ("a in topics", false),
        ("'a' in topics || 'b' in topics || 'c' in topics || 'd' in topics || 'e' in topics || 'f' in topics", false),
        ("", false),
    ]

    @Test(arguments: conditions) func `to a condition take negation, and no more than five topics`(
        condition: String, isTaken: Bool
    ) async throws {
        let door = try await LegacyDoor()
        let answer = await door.send(JSONValue.object(["condition": .string(condition)]).text)
        #expect(answer.status == 200)
        #expect((answer.json["message_id"]?.int64 != nil) == isTaken)
        #expect(answer.json["error"]?.string == (isTaken ? nil : "InvalidParameters"))
    }

    @Test func `to a topic say when the store is down`() async throws {
        let door = try await LegacyDoor()
        door.world.fanOuts.breakDown()
        #expect(await door.send(#"{"to":"/topics/a"}"#).json["error"] == "Unavailable")
    }

    // MARK: What is wrong with the message

    static let messages: [Row<(String, String)>] = [
        Row("too big", (#""data":{"k":"\#(String(repeating: "x", count: 4097))"}"#, "MessageTooBig")),
        Row("too long a life", (#""time_to_live":2419201"#, "InvalidTtl")),
        Row("arguments as a plain text", (#""notification":{"body_loc_args":"a"}"#, "InvalidParameters")),
        Row("a sound that APNs does not know", (#""notification":{"sound":{"volume":"loud"}}"#, "InvalidParameters")),
    ]

    @Test(arguments: messages) func `with a bad message fail for each recipient`(
        row: Row<(String, String)>
    ) async throws {
        let door = try await LegacyDoor()
        let token = try await door.world.register(1).token
        let (member, code) = row.content
        #expect(await door.send(#"{"to":"\#(token)",\#(member)}"#).results == [code])
        #expect(await door.send(#"{"registration_ids":["\#(token)","\#(token)"],\#(member)}"#).results == [code, code])
        #expect(await door.send(#"{"to":"/topics/a",\#(member)}"#).json["error"]?.string == code)
        #expect(door.world.platform.submitted.isEmpty)
    }

    @Test func `are measured without their tokens, and topics by half the size`() async throws {
        let door = try await LegacyDoor()
        let token = try await door.world.register(1).token
        let data = #""data":{"k":"\#(String(repeating: "x", count: 2048))"}"#
        #expect(await door.send(#"{"to":"\#(token)",\#(data)}"#).results == ["ok"])
        #expect(await door.send(#"{"to":"/topics/a",\#(data)}"#).json["error"] == "MessageTooBig")
    }

    @Test func `that nothing can be made of are refused in plain text`() async throws {
        let door = try await LegacyDoor()
        for body in ["{", #"{"to":["a"]}"#, #"{"to":"a","data":{"from":"x"}}"#] {
            let answer = await door.send(body)
            #expect(answer.status == 400 && answer.isPlainText)
        }
    }

    // MARK: What APNs says

    static let answers: [Row<(SendError, String)>] = [
        Row("gone", (SendError(.unregistered, ""), "NotRegistered")),
        Row(
            "a bad device token",
            (
                SendError(.invalidArgument, "", apns: APNsAnswer(status: 400, reason: "BadDeviceToken")),
                "InvalidRegistration"
            )),
        Row(
            "a token of another app",
            (
                SendError(.invalidArgument, "", apns: APNsAnswer(status: 400, reason: "DeviceTokenNotForTopic")),
                "InvalidPackageName"
            )),
        Row(
            "a bad header",
            (
                SendError(.invalidArgument, "", apns: APNsAnswer(status: 400, reason: "BadCollapseId")),
                "InvalidParameters"
            )),
        Row("a refused key", (SendError(.thirdPartyAuthentication, ""), "InvalidApnsCredential")),
        Row("too many", (SendError(.deviceQuotaExceeded, ""), "DeviceMessageRateExceeded")),
        Row("busy", (SendError(.unavailable, ""), "Unavailable")),
        Row("broken", (SendError(.internalError, ""), "InternalServerError")),
        Row("too large for Apple", (SendError(.messageTooBig, ""), "MessageTooBig")),
    ]

    @Test(arguments: answers) func `say what APNs said`(row: Row<(SendError, String)>) async throws {
        let door = try await LegacyDoor()
        let (registration, token) = try await door.world.register(1)
        door.world.platform.fail(registration, with: row.content.0)
        #expect(await door.send(#"{"to":"\#(token)"}"#).results == [row.content.1])
    }
}
