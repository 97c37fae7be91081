import FirebaseCore
import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

/// Cases that people met with the official SDK. Those that need a server are tests of the whole way.
@Suite struct `Cases of the iOS SDK` {
    @Test func `IOS-01 a push of another provider is handled as foreign`() throws {
        let phone = TestPhone()
        phone.device.analytics = RecordingAnalytics()
        try phone.launch()
        let foreign: [AnyHashable: Any] = ["aps": ["alert": "from another provider"], "custom": ["k": 1]]
        #expect(phone.messaging.appDidReceiveMessage(foreign).status == .new)
        phone.drain()
        #expect(phone.delegate.calls.isEmpty)
        #expect(phone.device.analytics?.record.entries.isEmpty == true)
        #expect(phone.device.links.record.entries.isEmpty)
        #expect(!phone.device.log.record.entries.contains { $0.level == .error })
    }

    @Test func `IOS-03 JSON text in the data is left as it is`() throws {
        let phone = TestPhone()
        phone.device.facts.offsetSeconds = 0
        try phone.launch()
        let text = #"{"a":{"b":1}}"#
        phone.messaging.appDidReceiveMessage([
            "aps": ["content-available": 1], "gcm.message_id": "m", "payload": text,
            "google.c.cm.lt_start": "2024-01-01 00:00:00",
        ])
        phone.drain()
        #expect(phone.device.scheduler.record.entries.first?.userInfo["payload"] == .string(text))
    }

    @Test func `IOS-05 a token call before the APNs token is 505 at once, and the token comes by itself after it`()
        throws
    {
        let phone = TestPhone()
        try phone.launch()
        let early = phone.token()
        phone.drain()
        #expect(early.entries.map(\.messagingCode) == [505])
        #expect(MessagingError.errorDomain == "com.google.fcm")
        #expect(phone.requests(.register).isEmpty)
        phone.setAPNSToken()
        #expect(phone.requests(.register).count == 1)
        #expect(phone.delegate.calls == [.token(phone.storedToken?.token)])
    }

    @Test func `IOS-08 a refused topic is dropped and told, and the next one runs`() throws {
        let phone = TestPhone()
        phone.service.override { request in
            request.kind == .topic && request.text.contains("sport") ? .success(WebResponse(status: 400)) : nil
        }
        try phone.launch()
        phone.setAPNSToken()
        let refused = phone.call { $0.subscribe(toTopic: "sport%7Cbaseball", completion: $1) }
        let next = phone.call { $0.subscribe(toTopic: "weather", completion: $1) }
        phone.drain()
        #expect((refused.entries.first as? MessagingError)?.errorCode == 0)
        #expect(next.entries.count == 1 && next.entries.first! == nil)
        #expect(phone.device.defaults.value(PendingTopicsStore.key) == nil)
    }

    @Test func `IOS-09 both spellings are one topic, and other characters are an error without a request`() throws {
        let phone = TestPhone()
        phone.service.override { $0.kind == .topic ? .failure(.notConnectedToInternet) : nil }
        try phone.launch()
        phone.setAPNSToken()
        phone.messaging.subscribe(toTopic: "news")
        phone.messaging.subscribe(toTopic: "/topics/news")
        phone.drain()
        let stored = PendingTopicsStore(defaults: phone.device.defaults).load()
        #expect(stored.contents.flatMap(\.topics).map(\.bare) == ["news"])
        let before = phone.requests(.topic).count
        for name in ["two words", "日本", "a/b", ""] {
            let wrong = phone.call { $0.subscribe(toTopic: name, completion: $1) }
            phone.drain()
            #expect((wrong.entries.first as? MessagingError)?.code == .invalidTopicName)
        }
        #expect(phone.requests(.topic).count == before)
        phone.service.endOverrides()
        phone.messaging.unsubscribe(fromTopic: "/topics/news")
        phone.wait(seconds: 600)
        #expect(phone.requests(.topic).suffix(2).map { $0.text.contains("delete=true") } == [false, true])
    }

    @Test func `IOS-13 unregister tells the app, and register brings the same id back`() throws {
        let phone = TestPhone(infoPlist: TestPhone.fidMode)
        try phone.launch()
        let id = try phone.installationID()
        phone.setAPNSToken()
        let gone = phone.call { $0.unregister(completion: $1) }
        phone.drain()
        #expect(gone.entries.first! == nil)
        let back = phone.call { $0.register(completion: $1) }
        phone.drain()
        #expect(back.entries.first! == nil)
        #expect(
            phone.delegate.calls == [.registration(id), .registration(nil), .unregistered(id), .registration(id)])
    }

    @Test(arguments: [500, 400]) func `IOS-14 register does not succeed when the server did not store it`(
        status: Int
    ) throws {
        let phone = TestPhone(infoPlist: TestPhone.fidMode)
        phone.service.override { $0.kind == .registration ? .success(WebResponse(status: status)) : nil }
        try phone.launch()
        _ = try phone.installationID()
        phone.setAPNSToken()
        let result = phone.call { $0.register(completion: $1) }
        phone.drain()
        for _ in 0..<25 { phone.wait(seconds: 1024) }
        #expect((result.entries.first as? MessagingError)?.errorCode == 0)
        #expect(phone.delegate.calls.isEmpty)
    }

    @Test func `IOS-15 an installation id that another device has is given up for a new one`() throws {
        let phone = TestPhone()
        let device = phone.device
        phone.service.override { request in
            let isFirst = device.transport.requests.filter { $0.kind == .installation }.count == 1
            return request.kind == .installation && isFirst ? .success(WebResponse(status: 409)) : nil
        }
        try phone.launch()
        let taken = try phone.installationID()
        phone.setAPNSToken()
        let tried = phone.requests(.installation)
        #expect(tried.count == 2)
        #expect(tried.first?.text.contains(taken) == true)
        #expect(tried.last?.text.contains(taken) == false)
        let token = try #require(phone.storedToken?.token)
        #expect(!token.hasPrefix(taken))
        #expect(phone.delegate.calls == [.token(token)])
    }

    @Test func `IOS-16 tokens of two senders are two, and deleting one leaves the other`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let second = phone.token(of: "42")
        phone.drain()
        let own = try #require(phone.storedToken?.token)
        #expect(try #require(second.entries.first).get() != own)
        let deleted = phone.call { $0.tokens.deleteFCMToken(forSenderID: "42", completion: $1) }
        phone.drain()
        #expect(deleted.entries.first! == nil)
        #expect(phone.stored("42") == nil)
        #expect(phone.storedToken?.token == own)
        #expect(phone.delegate.calls == [.token(own)])
    }

    @Test func `IOS-17 the same APNs token again sends nothing, another type sends the other environment`() throws {
        let phone = TestPhone()
        try phone.launch()
        for type in [MessagingAPNSTokenType.sandbox, .sandbox, .prod, .prod] {
            phone.messaging.setAPNSToken(TestPhone.deviceToken, type: type)
            phone.drain()
        }
        #expect(
            phone.requests(.register).map { $0.text.field("apns_token") } == [
                "s_" + TestPhone.hex, "p_" + TestPhone.hex,
            ])
    }
}
