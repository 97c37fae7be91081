import FirebasePlatform
import Foundation
import PropertyTesting
import Testing

@testable import FirebaseMessaging

@Suite struct `Topic names` {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        /// `nil`: not valid.
        let bare: String?

        init(_ name: String, _ text: String, _ bare: String?) {
            testDescription = name
            self.text = text
            self.bare = bare
        }
    }

    static let rows = [
        Row("a word", "news", "news"),
        Row("with the prefix", "/topics/news", "news"),
        Row("one character", "n", "n"),
        Row("every kind of character", "aZ09-_.~%", "aZ09-_.~%"),
        Row("percent-encoded by the app", "sport%7Cbaseball", "sport%7Cbaseball"),
        Row("a lone percent sign", "100%", "100%"),
        Row("dots", "..", ".."),
        Row("900 characters", String(repeating: "a", count: 900), String(repeating: "a", count: 900)),
        Row("900 and the prefix", "/topics/" + String(repeating: "a", count: 900), String(repeating: "a", count: 900)),
        Row("the word topics", "topics", "topics"),
        Row("empty", "", nil),
        Row("the prefix alone", "/topics/", nil),
        Row("half a prefix", "/topics", nil),
        Row("the prefix without its slash", "topics/news", nil),
        Row("the prefix twice", "/topics//topics/news", nil),
        Row("the prefix in capitals", "/Topics/news", nil),
        Row("a slash", "news/today", nil),
        Row("a space", "good news", nil),
        Row("a space at the end", "news ", nil),
        Row("a line break at the end", "news\n", nil),
        Row("a zero byte", "news\0", nil),
        Row("an accent", "caf\u{E9}", nil),
        Row("a combining accent", "cafe\u{301}", nil),
        Row("an accent on the prefix", "/topics/\u{301}news", nil),
        Row("another script", "новости", nil),
        Row("an emoji", "news😀", nil),
        Row("a digit of another script", "news٣", nil),
        Row("a plus sign", "a+b", nil),
        Row("an ampersand", "a&delete=true", nil),
        Row("a question mark", "a?b", nil),
        Row("a colon", "news:subscribe", nil),
        Row("an asterisk", "*", nil),
        Row("an at sign", "a@b", nil),
        Row("901 characters", String(repeating: "a", count: 901), nil),
    ]

    @Test(arguments: rows) func `are the same with and without the prefix, and only of these characters`(row: Row) {
        let name = TopicName(row.text)
        #expect(name?.bare == row.bare)
        #expect(name?.path == row.bare.map { "/topics/" + $0 })
    }

    @Test func `any text is a name only if it is one without the prefix too`() {
        var random = SeededGenerator(seed: 7)
        let alphabet = Array("ab/%.~ _-é\n/topics/".unicodeScalars)
        for _ in 0..<2_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                text.unicodeScalars.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
            }
            guard let name = TopicName(text) else { continue }
            #expect(!name.bare.contains("/"))
            #expect(TopicName(name.bare) == name)
            #expect(TopicName(name.path) == name)
            #expect(text == name.bare || text == name.path)
            #expect(name.pathSegment.removingPercentEncoding == name.bare)
        }
    }

    @Test(arguments: rows.filter { $0.bare == nil })
    func `a wrong one is answered with 8 at once, without any request`(row: Row) throws {
        let phone = TestPhone()
        try phone.launch()
        let before = phone.device.transport.requests.count
        let subscribed = phone.call { $0.subscribe(toTopic: row.text, completion: $1) }
        let unsubscribed = phone.call { $0.unsubscribe(fromTopic: row.text, completion: $1) }
        #expect(subscribed.entries.isEmpty, "completions come on main")
        phone.drain()
        for result in [subscribed, unsubscribed] {
            #expect(result.entries.map { ($0 as? MessagingError)?.errorCode } == [8])
        }
        #expect(phone.device.transport.requests.count == before)
        #expect(phone.logCodes.suffix(2) == ["I-FCM002009", "I-FCM002011"])
        #expect(phone.pendingTopics == nil)
    }

    @Test func `a name with the prefix works, with a warning`() throws {
        let phone = try TestPhone.registered()
        let result = phone.call { $0.subscribe(toTopic: "/topics/news", completion: $1) }
        phone.drain()
        #expect(result.codes == [nil])
        #expect(phone.logCodes.contains("I-FCM002024"))
        _ = phone.call { $0.subscribe(toTopic: "weather", completion: $1) }
        phone.drain()
        #expect(phone.logCodes.count { $0 == "I-FCM002024" } == 1)
    }
}

/// What the topic tests ask of a phone.
extension TestPhone {
    /// A phone with a registration.
    static func registered(infoPlist: [String: PlistValue] = [:]) throws -> TestPhone {
        let phone = TestPhone(infoPlist: infoPlist)
        try phone.launch()
        try phone.installationID()
        phone.setAPNSToken()
        return phone
    }

    /// The stored queue, as text.
    var pendingTopics: String? {
        device.defaults.value("com.firebase.messaging.pending-subscriptions", suite: nil)?.bytes
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The topic requests so far: `+` for subscribing, `-` for unsubscribing, then the name.
    var topicRequests: [String] { requests(.topic).map(\.topicCall) }

    /// Answers topic requests with this from now on; `nil` leaves them to the service.
    func answerTopics(_ answer: @escaping @Sendable (String) async -> Result<WebResponse, WebError>?) {
        service.override { $0.kind == .topic ? await answer($0.topicCall) : nil }
    }
}

extension WebRequest {
    var topicCall: String {
        if let topic = text.field("X-gcm.topic") {
            return (text.field("delete") == "true" ? "-" : "+") + topic.dropFirst("/topics/".count)
        }
        guard let last = url.split(separator: "/").last else { return "" }
        return (last.hasSuffix(":unsubscribe") ? "-" : "+") + last.prefix { $0 != ":" }
    }
}

extension Record where Entry == (any Error)? {
    /// What each completion was told: domain and number of the error, `nil` for success.
    var codes: [String?] {
        entries.map { error in
            error.map { error in
                (error as? any CodedError).map { "\(type(of: $0).errorDomain) \($0.errorCode)" } ?? "\(error)"
            }
        }
    }
}

/// Answers one request after the other, when the test says so.
final class Gate: Sendable {
    private let waiting = Record<(String, CheckedContinuation<Result<WebResponse, WebError>, Never>)>()
    private let opened = Record<String>()

    func wait(_ name: String) async -> Result<WebResponse, WebError> {
        await withCheckedContinuation { waiting.append((name, $0)) }
    }

    /// What waits now, oldest first.
    var names: [String] {
        let done = opened.entries
        return waiting.entries.map(\.0).filter { !done.contains($0) }
    }

    func open(_ name: String, _ result: Result<WebResponse, WebError>) {
        guard names.contains(name), let entry = waiting.entries.last(where: { $0.0 == name }) else { return }
        opened.append(name)
        entry.1.resume(returning: result)
    }
}
