import FirebaseCore
import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

@Suite struct `Topic requests, byte for byte` {
    @Test func `subscribing with a token`() throws {
        let phone = try TestPhone.registered()
        let token = try #require(phone.storedToken?.token)
        phone.messaging.subscribe(toTopic: "news")
        phone.drain()
        let request = try #require(phone.requests(.topic).first)
        #expect(request.method == "POST")
        #expect(request.url == "https://iid.googleapis.com/iid/register")
        #expect(request.session == .standard)
        #expect(request.timeoutSeconds == 60)
        #expect(
            request.headers == [
                .init("Content-Type", "application/x-www-form-urlencoded"),
                .init("Authorization", "AidLogin 4186988920390508657:9007199254740993"),
                .init("app", "com.example.pushdemo"),
                .init("info", "v1"),
            ])
        #expect(
            request.text
                == "sender=\(token)&app=com.example.pushdemo&device=4186988920390508657&app_ver=1.2.3"
                + "&X-gcm.topic=/topics/news&X-scope=/topics/news")
    }

    @Test func `unsubscribing with a token says delete`() throws {
        let phone = try TestPhone.registered()
        let token = try #require(phone.storedToken?.token)
        phone.messaging.unsubscribe(fromTopic: "news")
        phone.drain()
        #expect(
            phone.requests(.topic).first?.text
                == "sender=\(token)&app=com.example.pushdemo&device=4186988920390508657&app_ver=1.2.3"
                + "&X-gcm.topic=/topics/news&X-scope=/topics/news&delete=true")
    }

    @Test(arguments: [("subscribe", TopicAction.subscribe), ("unsubscribe", .unsubscribe)])
    func `with an installation id`(verb: String, action: TopicAction) throws {
        let phone = try TestPhone.registered(infoPlist: TestPhone.fidMode)
        let id = try phone.installationID()
        if action == .subscribe {
            phone.messaging.subscribe(toTopic: "news")
        } else {
            phone.messaging.unsubscribe(fromTopic: "news")
        }
        phone.drain()
        let request = try #require(phone.requests(.topic).first)
        #expect(request.method == "POST")
        #expect(
            request.url
                == "https://fcmregistrations.googleapis.com/v1/projects/demo-pharos/registrations/\(id)"
                + "/topicSubscriptions/news:\(verb)")
        #expect(
            request.headers == [
                .init("Accept", "application/json"),
                .init("Content-Type", "application/json"),
                .init("X-Goog-Api-Key", TestPhone.apiKey),
                .init("X-Goog-Firebase-Installations-Auth", "fis-auth"),
            ])
        #expect(request.body.isEmpty)
        #expect(request.session == .standard)
        #expect(request.timeoutSeconds == 60)
        #expect(phone.requests(.checkIn).isEmpty)
    }

    @Test(arguments: [
        ("sport%7Cbaseball", "sport%257Cbaseball"), ("100%", "100%25"), ("a-b_c.d~e", "a-b_c.d~e"), ("%25", "%2525"),
        ("/topics/a%2Fb", "a%252Fb"),
    ])
    func `a percent sign in a name is encoded once, in both modes`(topic: String, encoded: String) throws {
        let classic = try TestPhone.registered()
        classic.messaging.subscribe(toTopic: topic)
        classic.drain()
        #expect(classic.requests(.topic).first?.text.field("X-gcm.topic") == "/topics/\(encoded)")
        #expect(classic.requests(.topic).first?.text.field("X-scope") == "/topics/\(encoded)")

        let fid = try TestPhone.registered(infoPlist: TestPhone.fidMode)
        fid.messaging.subscribe(toTopic: topic)
        fid.drain()
        #expect(fid.requests(.topic).first?.url.hasSuffix("/topicSubscriptions/\(encoded):subscribe") == true)
    }

    @Test func `an own server gets them at its address`() throws {
        for (info, path) in [([:], "/iid/register"), (TestPhone.fidMode, ":subscribe")] {
            let phone = TestPhone(infoPlist: info)
            try phone.launch(serverURL: "http://127.0.0.1:9599/")
            try phone.installationID()
            phone.setAPNSToken()
            phone.messaging.subscribe(toTopic: "news")
            phone.drain()
            let url = try #require(phone.requests(.topic).first?.url)
            #expect(url.hasPrefix("http://127.0.0.1:9599/") && url.hasSuffix(path))
        }
    }
}

@Suite struct `Answers to topic requests` {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isFID: Bool
        let answer: Result<WebResponse, WebError>
        /// The error's domain and number; `nil` for success.
        var error: String?
        /// Stays in the queue, unanswered.
        var isRetried = false

        init(
            _ name: String, isFID: Bool = false, status: Int = 200, body: String = "", error: String? = nil,
            isRetried: Bool = false
        ) {
            testDescription = name
            self.isFID = isFID
            answer = .success(WebResponse(status: status, body: Array(body.utf8)))
            self.error = error
            self.isRetried = isRetried
        }

        init(_ failure: WebError, isFID: Bool) {
            testDescription = "no answer: \(failure.errorCode), \(isFID ? "id" : "token")"
            self.isFID = isFID
            answer = .failure(failure)
            isRetried = true
        }
    }

    static let unknown = "com.google.fcm 0"

    static let answers = [
        Row("token=", body: "token="),
        Row("token= with a token", body: "token=abc:APA91b"),
        Row("token= with a strange status", status: 500, body: "token="),
        Row("empty", error: unknown),
        Row("an error word", body: "Error=INVALID_PARAMETERS", error: unknown),
        Row("a passing error word", body: "Error=PHONE_REGISTRATION_ERROR", error: unknown),
        Row("token without =", body: "token", error: unknown),
        Row("a line before", body: "\ntoken=", error: unknown),
        Row("deleted=", body: "deleted=com.example.pushdemo", error: unknown),
        Row("JSON", body: "{}", error: unknown),
        Row("400", status: 400, body: "<html>", error: unknown),
        Row("429", status: 429, body: "Error=SERVICE_NOT_AVAILABLE", isRetried: true),
        Row("500", status: 500, body: "Error=INTERNAL", isRetried: true),
        Row("503, empty", status: 503, isRetried: true),
        Row("id, 200", isFID: true, status: 200, body: "{}"),
        Row("id, 200, empty", isFID: true, status: 200),
        Row("id, 201", isFID: true, status: 201),
        Row("id, 204", isFID: true, status: 204, error: unknown),
        Row("id, 400", isFID: true, status: 400, error: unknown),
        Row("id, 401 for ever", isFID: true, status: 401, error: unknown),
        Row("id, 403", isFID: true, status: 403, error: unknown),
        Row("id, 404", isFID: true, status: 404, error: unknown),
        Row("id, 429", isFID: true, status: 429, isRetried: true),
        Row("id, 500", isFID: true, status: 500, isRetried: true),
        Row("id, 503", isFID: true, status: 503, isRetried: true),
    ]

    static let failures: [WebError] = [
        .notConnectedToInternet, .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost,
        .secureConnectionFailed, .badServerResponse, .cancelled,
    ]

    static let rows = answers + failures.flatMap { [Row($0, isFID: false), Row($0, isFID: true)] }

    @Test(arguments: rows, [TopicAction.subscribe, .unsubscribe])
    func `end the call, or leave it in the queue when there was none`(row: Row, action: TopicAction) throws {
        let phone = try TestPhone.registered(infoPlist: row.isFID ? TestPhone.fidMode : [:])
        phone.answerTopics { _ in row.answer }
        let result = phone.call { messaging, completion in
            switch action {
            case .subscribe: messaging.subscribe(toTopic: "news", completion: completion)
            case .unsubscribe: messaging.unsubscribe(fromTopic: "news", completion: completion)
            }
        }
        phone.drain()
        if row.isRetried {
            #expect(result.entries.isEmpty)
            #expect(phone.pendingTopics?.contains("/topics/news") == true)
            #expect(phone.device.clock.pendingDelays == [1])
            phone.service.endOverrides()
            phone.wait(seconds: 1)
        }
        #expect(result.codes == [row.error])
        #expect(phone.pendingTopics == nil)
        #expect(phone.device.clock.pendingDelays.isEmpty)
    }

    @Test func `the reason of an error is what the server said`() throws {
        let phone = try TestPhone.registered()
        phone.answerTopics { _ in .success(WebResponse(status: 200, body: Array("Error=TOO_MANY_TOPICS".utf8))) }
        let result = phone.call { $0.subscribe(toTopic: "news", completion: $1) }
        phone.drain()
        #expect((result.entries.first as? MessagingError)?.failureReason?.contains("Error=TOO_MANY_TOPICS") == true)
    }

    @Test func `an auth token that was refused is renewed once`() throws {
        let phone = try TestPhone.registered(infoPlist: TestPhone.fidMode)
        let count = Record<Int>()
        phone.answerTopics { _ in
            count.append(1)
            return count.entries.count == 1 ? .success(WebResponse(status: 401)) : nil
        }
        let result = phone.call { $0.subscribe(toTopic: "news", completion: $1) }
        phone.drain()
        #expect(result.codes == [nil])
        #expect(phone.requests(.authToken).count == 1)
        #expect(phone.requests(.topic).count == 2)
    }
}
