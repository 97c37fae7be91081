import Accounts
import AppServerTesting
import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
import Reports
import SQLiteStore
import Testing
import Timekeeping

@testable import ConsoleAPI

@Suite struct `The inspector in the console's API` {
    private func titles(_ answer: JSONObject) -> [String] {
        (answer["messages"]?.array ?? []).compactMap { $0["title"]?.string }
    }

    @Test func `finds messages by what one has, and pages through them`() async throws {
        let world = try await InspectionWorld()
        let (phone, token) = try await world.world.register(1)
        let (other, _) = try await world.world.register(2)
        let first = try await world.send("first", to: phone, label: "spring")
        _ = try await world.send("second", to: other)
        _ = try await world.send("third", to: phone)
        #expect(try await titles(world.json("message.list")) == ["third", "second", "first"])
        for query in ["?token=\(token)", "?fid=\(phone.fid)", "?q=\(phone.fid)", "?q=\(token)"] {
            #expect(try await titles(world.json("message.list", query)) == ["third", "first"])
        }
        let name = "projects/demo-kitchen/messages/\(first)"
        for query in ["?label=spring", "?q=spring", "?messageId=\(first)", "?q=\(first)", "?q=\(name)"] {
            #expect(try await titles(world.json("message.list", query)) == ["first"])
        }
        for query in ["?q=nothing", "?messageId=x", "?topic=none", "?token=x", "?campaignId=9"] {
            #expect(try await titles(world.json("message.list", query)).isEmpty)
        }
        var found: [String] = []
        var page = try await world.json("message.list", "?pageSize=1&fid=\(phone.fid)")
        found += titles(page)
        while let next = page["nextPageToken"]?.string {
            page = try await world.json("message.list", "?pageSize=1&fid=\(phone.fid)&pageToken=\(next)")
            found += titles(page)
        }
        #expect(found == ["third", "first"])
    }

    @Test func `tells why a message did not arrive`() async throws {
        let world = try await InspectionWorld()
        let (phone, token) = try await world.world.register(1)
        let error = SendError(.unregistered, "gone", apns: APNsAnswer(status: 410, reason: "Unregistered"))
        let id = try await world.send("gone", to: phone, outcome: .failed(error))
        let details = try await world.json("message.get", path: [("message", id.description)])
        let delivery = try #require(details["deliveries"]?.array?.first)
        #expect(delivery["state"]?.string == "FAILED" && delivery["reason"]?.string == "UNREGISTERED")
        #expect(delivery["attempts"]?.array?.last?["status"]?.int64 == 410)
        #expect(delivery["explanation"]?.string == APNsReason.known("Unregistered")?.explanation.text)
        #expect(delivery["nextStep"]?.string?.contains("Forget the token") == true)
        #expect(details["message"]?["state"]?.string == "FAILED" && details["message"]?["door"]?.string == "v1")
        #expect(details["validation"]?["isValid"]?.bool == true)
        #expect(details["translation"]?["apns"]?["payload"]?["aps"]?["alert"]?["title"]?.string == "gone")
        #expect(delivery["translation"]?["headers"]?["apns-topic"]?.string == AppServerWorld.bundleID)
        #expect(!JSONValue.object(details).text.contains(token))
    }

    @Test func `shows whole tokens to editors only`() async throws {
        let world = try await InspectionWorld()
        let (phone, token) = try await world.world.register(1)
        let path = [(name: "device", value: phone.fid)]
        #expect(try await !world.call("device.get", path: path).text.contains(token))
        let error = await #expect(throws: GoogleError.self) {
            try await world.call("device.get", "?tokens=full", path: path)
        }
        #expect(error?.httpStatus == 403)
        #expect(try await world.call("device.get", "?tokens=full", path: path, as: .editor).text.contains(token))
    }

    static let absent: [(String, String, String)] = [
        ("message.get", "message", "1"), ("message.get", "message", "x"), ("device.get", "device", "999"),
        ("device.get", "device", "nobody"), ("topic.get", "topic", "none"), ("topic.get", "topic", "a b"),
    ]

    @Test(arguments: absent) func `does not know what is not there`(
        name: String, parameter: String, value: String
    ) async throws {
        let world = try await InspectionWorld()
        let error = await #expect(throws: GoogleError.self) {
            try await world.call(name, path: [(parameter, value)])
        }
        #expect(error?.httpStatus == 404)
    }

    static let badTokens = ["x1", "m", "m-1", "mx", "d0"]

    @Test(arguments: badTokens) func `refuses page tokens that no answer gave`(key: String) async throws {
        let world = try await InspectionWorld()
        let error = await #expect(throws: GoogleError.self) {
            try await world.call("message.list", "?pageToken=\(ConsolePage.token(after: key))")
        }
        #expect(error?.httpStatus == 400)
    }

    @Test func `sends to a device, and says why it cannot`() async throws {
        let world = try await InspectionWorld()
        let (phone, _) = try await world.world.register(1)
        let path = [(name: "device", value: String(phone.id.value))]
        let body: JSONObject = ["notification": ["title": "Test", "body": "b"], "data": ["k": "v"]]
        let answer = try await world.call("device.send", path: path, body: body, as: .editor)
        #expect(answer.text.contains("messageId"))
        let sent = try #require(world.world.platform.submitted.last)
        #expect(sent.message.message.notification?.title == "Test" && sent.message.message.origin?.door == .console)
        let reserved = await #expect(throws: GoogleError.self) {
            try await world.call("device.send", path: path, body: ["data": ["from": "x"]], as: .editor)
        }
        #expect(reserved?.httpStatus == 400)
        try await world.world.store.end(phone.id, .deletedByApp, at: world.world.clock.now())
        let over = await #expect(throws: GoogleError.self) {
            try await world.call("device.send", path: path, body: body, as: .editor)
        }
        #expect(over?.httpStatus == 409)
    }

    @Test func `lists devices and topics by page`() async throws {
        let world = try await InspectionWorld()
        let topic = try #require(TopicName("news"))
        var phones: [RegistrationID] = []
        for number in 1...3 { phones.append(try await world.world.register(number).registration.id) }
        _ = try await world.world.store.subscribe(
            phones, to: topic, in: world.world.project.number, at: world.world.clock.now())
        let first = try await world.json("device.list", "?pageSize=2")
        let token = try #require(first["nextPageToken"]?.string)
        let rest = try await world.json("device.list", "?pageSize=2&pageToken=\(token)")
        let ids = [first, rest].flatMap { $0["devices"]?.array ?? [] }.compactMap { $0["registrationId"]?.string }
        #expect(ids == phones.reversed().map { String($0.value) })
        #expect(try await world.json("device.list", "?q=1.2")["devices"]?.array?.count == 3)
        #expect(try await world.json("device.list", "?q=\(AppServerWorld.bundleID)")["devices"]?.array?.count == 3)
        #expect(try await world.json("topic.list", "?q=ne")["topics"]?.array?.count == 1)
        #expect(try await world.json("topic.list", "?q=x")["topics"]?.array?.isEmpty == true)
        let shown = try await world.json("topic.get", path: [("topic", "news")])
        #expect(shown["members"]?.int64 == 3 && shown["growth"]?.array?.first?["joined"]?.int64 == 3)
        let members = try await world.json("topic.members", "?pageSize=2", path: [("topic", "news")])
        #expect(members["members"]?.array?.count == 2 && members["nextPageToken"] != nil)
    }

    @Test(arguments: [
        ("", 1, ["a", "news", "news-de", "news-fr", "news.x", "newt", "z"]),
        ("news", 1, ["news", "news-de", "news-fr", "news.x"]), ("news", 2, ["news", "news-de", "news-fr", "news.x"]),
        ("news", 3, ["news", "news-de", "news-fr", "news.x"]), ("news", 4, ["news", "news-de", "news-fr", "news.x"]),
        ("new", 2, ["news", "news-de", "news-fr", "news.x", "newt"]), ("news-", 1, ["news-de", "news-fr"]),
        ("z", 1, ["z"]), ("zz", 1, []), ("A", 1, []), ("n%20s", 1, []), ("news-es", 1, []),
    ])
    func `pages through the topics that begin so, each page full until the end`(
        beginning: String, size: Int, wanted: [String]
    ) async throws {
        let world = try await InspectionWorld()
        let phone = try await world.world.register(1).registration.id
        for name in ["newt", "news.x", "z", "news-fr", "a", "news-de", "news"] {
            let topic = try #require(TopicName(name))
            _ = try await world.world.store.subscribe(
                [phone], to: topic, in: world.world.project.number, at: world.world.clock.now())
        }
        var (found, token, pages) = ([String](), String?.none, 0)
        repeat {
            let place = token.map { "&pageToken=\($0)" } ?? ""
            let page = try await world.json("topic.list", "?q=\(beginning)&pageSize=\(size)" + place)
            let names = (page["topics"]?.array ?? []).compactMap { $0["topic"]?.string }
            token = page["nextPageToken"]?.string
            #expect(names.count == size || token == nil)
            found += names
            pages += 1
        } while token != nil && pages < 20
        #expect(found == wanted)
        #expect(pages == max(1, (wanted.count + size - 1) / size))
    }

    @Test func `shows custom properties and what the device told of itself`() async throws {
        let world = try await InspectionWorld()
        let (phone, _) = try await world.world.register(1)
        try await world.world.store.setProperties(["plan": "pro", "age": "42"], of: phone)
        let device = try await world.json("device.get", path: [("device", String(phone.id.value))])
        #expect(device["properties"]?.object?.names.sorted() == ["age", "plan"])
        #expect(device["properties"]?["plan"]?.string == "pro")
        #expect(device["firstOpenedAt"]?.string != nil && device["language"] == nil && device["lastEngagedAt"] == nil)
    }

    @Test func `tells those who watch, from where they were`() async throws {
        let world = try await InspectionWorld()
        let (phone, _) = try await world.world.register(1)
        let response = try await world.call("message.tail")
        let stream = try #require(response.stream)
        #expect(response.fields["content-type"] == "text/event-stream")
        let id = try await world.send("live", to: phone)
        let message = try #require(try world.world.store.inspectedMessage(id))
        for number in 1...3 {
            world.tail.accepted(
                ValidatedMessage(
                    id: MessageID(value: id.value + Int64(number)), project: world.world.project,
                    target: message.target, message: message.message, acceptedAt: message.acceptedAt,
                    expiresAt: message.expiresAt), recipients: [phone])
        }
        let text = String(decoding: try #require(await stream.next()), as: UTF8.self)
        #expect(text.contains("id: 1\nevent: accepted\ndata: {") && text.contains("id: 3\n"))
        let again = try await world.call("message.tail", fields: [("last-event-id", "2")])
        let missed = String(decoding: try #require(await again.stream?.next()), as: UTF8.self)
        #expect(missed.hasPrefix("id: 3\n"))
        world.tail.close()
        #expect(await stream.next() == nil)
    }
}
