import JSON
import PropertyTesting
import PushCore
import PushModel
import Testing

@Suite struct `The archive of messages` {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var message: Message
        var target: SendTarget
    }

    static let payload: JSONObject = [
        "aps": ["alert": ["title": "é\u{0}\"", "loc-args": ["a", nil]], "badge": 3, "thread-id": ""],
        "custom": [1.5, true],
    ]
    static let whole = Message(
        data: [.init(key: "b", value: ""), .init(key: "a", value: "\u{1F600}")],
        notification: .init(title: "t", body: "", image: "https://example.com/i.png"),
        apns: APNsOptions(
            headers: [.init(key: "apns-priority", value: "5")], payload: payload, image: "i",
            analyticsLabel: AnalyticsLabel("l%1"), liveActivityToken: "ab"),
        android: AndroidOptions(
            collapseKey: "k", priority: .high, timeToLive: TimeToLive(seconds: 0), restrictedPackageName: "com.example",
            data: [], notification: ["title_loc_args": ["x"]], analyticsLabel: AnalyticsLabel("m"), directBootOK: true),
        webpush: WebPushOptions(
            headers: [.init(key: "TTL", value: "1")], data: [.init(key: "k", value: "v")], notification: [:],
            link: "https://example.com", analyticsLabel: AnalyticsLabel("w")),
        analyticsLabel: AnalyticsLabel("all"))

    static let rows: [Row] = {
        let empty = Row(testDescription: "nothing but a token", message: Message(), target: .token(""))
        var rows = [empty, Row(testDescription: "everything", message: whole, target: .token("f:APA91b\"\n"))]
        let encrypted = Message(
            receiptRequest: ReceiptRequest(originalID: "m\"1"),
            encrypted: EncryptedContent(
                body: [0, 255, 1], contentEncoding: "aesgcm", cryptoKey: "dh=a", encryption: "salt=b", from: "BKey",
                topic: "t"))
        rows.append(Row(testDescription: "encrypted, with a receipt", message: encrypted, target: .token("t")))
        let plain = Message(encrypted: EncryptedContent(body: [], contentEncoding: "aes128gcm", from: ""))
        rows.append(Row(testDescription: "encrypted, without anything beside", message: plain, target: .token("t")))
        let parts = Message(
            notification: .init(), apns: APNsOptions(), android: AndroidOptions(), webpush: WebPushOptions())
        if let fid = FirebaseInstallationID("cAAAAAAAAAAAAAAAAAAAAA") {
            rows.append(Row(testDescription: "parts that say nothing", message: parts, target: .fid(fid)))
        }
        if let news = TopicName("news"), let operators = TopicName("%26%26") {
            rows.append(Row(testDescription: "a topic", message: Message(), target: .topic(news)))
            let condition = TopicCondition.and(.or(.member(news), .not(.member(operators))), .member(news))
            rows.append(Row(testDescription: "a condition", message: Message(), target: .condition(condition)))
        }
        return rows
    }()

    @Test(arguments: rows) func `gives back what it was given`(row: Row) throws {
        let bytes = MessageArchive.encode(row.message, target: row.target)
        let decoded = try #require(MessageArchive.decode(bytes))
        #expect(decoded.message == row.message)
        #expect(decoded.target == row.target)
    }

    @Test func `keeps numbers as they were written`() throws {
        let payload = try JSONValue(parsing: #"{"n":1.50,"big":12345678901234567890123,"e":1E+2}"#)
        let message = Message(apns: APNsOptions(payload: payload.object))
        let decoded = try #require(MessageArchive.decode(MessageArchive.encode(message, target: .token("t"))))
        #expect(decoded.message.apns?.payload?.encoded == message.apns?.payload?.encoded)
    }

    static let damaged = [
        "", "{", "[]", "null", "{}", #"{"target":{}}"#, #"{"target":"t"}"#, #"{"target":{"token":1}}"#,
        #"{"target":{"device":"t"}}"#, #"{"target":{"token":"t","fid":"u"}}"#, #"{"target":{"fid":"short"}}"#,
        #"{"target":{"topic":"a b"}}"#, #"{"target":{"condition":[]}}"#, #"{"target":{"condition":["&&","a"]}}"#,
        #"{"target":{"condition":["&&","a","b","c"]}}"#, #"{"target":{"condition":["!","a","b"]}}"#,
        #"{"target":{"condition":["xor","a","b"]}}"#, #"{"target":{"condition":["!",["!",["!",7]]]}}"#,
        #"{"target":{"token":"t"},"data":["k"]}"#, #"{"target":{"token":"t"},"data":["k",1]}"#,
        #"{"target":{"token":"t"},"data":{}}"#, #"{"target":{"token":"t"},"notification":[]}"#,
        #"{"target":{"token":"t"},"apns":1}"#, #"{"target":{"token":"t"},"apns":{"headers":[1]}}"#,
        #"{"target":{"token":"t"},"android":[]}"#, #"{"target":{"token":"t"},"android":{"analytics_label":""}}"#,
        #"{"target":{"token":"t"},"webpush":""}"#, #"{"target":{"token":"t"},"webpush":{"data":7}}"#,
        #"{"target":{"token":"t"},"analytics_label":7}"#,
    ]
    @Test(arguments: damaged) func `tells what is no archive`(text: String) {
        #expect(MessageArchive.decode(Array(text.utf8)) == nil)
    }

    @Test func `is never brought down by damage`() throws {
        var random = PropertyTesting.SeededGenerator(seed: 7)
        let archive = MessageArchive.encode(Self.whole, target: .topic(try #require(TopicName("news"))))
        for _ in 0..<4000 {
            let bytes = random.mutate(archive, alphabet: Array(#"{}[]",:\"#.utf8))
            guard let decoded = MessageArchive.decode(bytes) else { continue }
            let again = MessageArchive.decode(MessageArchive.encode(decoded.message, target: decoded.target))
            #expect(again?.message == decoded.message)
        }
        let deep = String(repeating: #"["!","#, count: 100_000)
        #expect(MessageArchive.decode(Array((#"{"target":{"condition":"# + deep).utf8)) == nil)
    }
}
