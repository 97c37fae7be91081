import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

@Suite struct `Rule 2 - freshness` {
    static let id = "cAAAAAAAAAAAAAAAAAAAAA"
    static let now = SteppedClock().now()

    static let fresh = TokenRecord(
        key: .init(sender: "1", scope: "*"), token: "\(id):APA91b", kind: .token, appVersion: "1.0",
        firebaseAppID: "app", apns: nil, cachedAt: now - 60)

    static let rules = Freshness(
        installationID: id, kind: .token, appVersion: "1.0", firebaseAppID: "app", locale: "en", storedLocale: "en",
        now: now)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var record = fresh
        var rules = `Rule 2 - freshness`.rules
        let expected: Freshness.Staleness?

        init(_ name: String, _ expected: Freshness.Staleness?, _ change: (inout Row) -> Void = { _ in }) {
            testDescription = name
            self.expected = expected
            change(&self)
        }
    }

    static let rows = [
        Row("fresh", nil),
        Row("just before a week", nil) { $0.record.cachedAt = now - 604_799.9 },
        Row("1 no current installation id", .unknownInstallation) { $0.rules.installationID = nil },
        Row("1 empty installation id", .unknownInstallation) { $0.rules.installationID = "" },
        Row("2 no cache time", .noCacheTime) { $0.record.cachedAt = nil },
        Row("3 a token in id mode", .otherKind) { $0.rules.kind = .installationID },
        Row("3 an id in token mode", .otherKind) {
            $0.record.kind = .installationID
            $0.record.token = id
        },
        Row("3 an id in id mode is fresh", nil) {
            $0.record.kind = .installationID
            $0.record.token = id
            $0.rules.kind = .installationID
        },
        Row("4 token of another installation", .otherInstallation) { $0.record.token = "dBBB:APA91b" },
        Row("4 id of another installation", .otherInstallation) {
            $0.record.kind = .installationID
            $0.record.token = id + "x"
            $0.rules.kind = .installationID
        },
        Row("5 scope fiam", .retiredScope) { $0.record.key.scope = "fiam" },
        Row("6 other app version", .otherAppVersion) { $0.record.appVersion = "0.9" },
        Row("7 other Firebase app", .otherFirebaseApp) { $0.record.firebaseAppID = "other" },
        Row("8 other locale", .otherLocale) { $0.rules.locale = "fr" },
        Row("8 no stored locale", .otherLocale) { $0.rules.storedLocale = nil },
        Row("9 a week old", .tooOld) { $0.record.cachedAt = now - 604_800 },
        Row("9 from the future", .tooOld) { $0.record.cachedAt = now + 1 },
    ]

    @Test(arguments: rows) func `one rule a row`(row: Row) {
        #expect(row.rules.staleness(of: row.record) == row.expected)
    }

    @Test func `a stored record comes back as it was`() {
        var record = Self.fresh
        #expect(TokenRecord(stored: record.stored) == record)
        record.apns = APNSBinding(deviceToken: [1, 2, 255], isSandbox: true)
        record.kind = .installationID
        record.cachedAt = nil
        #expect(TokenRecord(stored: record.stored) == record)
    }

    @Test(arguments: [
        "", "{}", "[]", "bplist00", #"{"authorized_entity":"1","scope":"*"}"#,
        #"{"authorized_entity":"1","scope":"*","token":""}"#, #"{"authorized_entity":1,"scope":"*","token":"t"}"#,
    ])
    func `anything else is no record`(text: String) {
        #expect(TokenRecord(stored: Array(text.utf8)) == nil)
    }

    @Test func `a record without a type is a token`() {
        let text = #"{"authorized_entity":"1","scope":"*","token":"t"}"#
        #expect(TokenRecord(stored: Array(text.utf8))?.kind == .token)
    }
}

@Suite struct `Stale registrations on a phone` {
    /// A phone that registered, ended, and starts again after `change`.
    func relaunched(_ change: (TestPhone) throws -> Void) throws -> TestPhone {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        try change(phone)
        try phone.relaunch()
        return phone
    }

    @Test func `a fresh token is used without any request`() throws {
        let phone = try relaunched { _ in }
        let before = phone.device.transport.requests.count
        phone.setAPNSToken()
        let result = phone.token()
        phone.drain()
        #expect(result.entries.count == 1)
        #expect(phone.device.transport.requests.count == before)
    }

    @Test(arguments: ["version", "app", "locale", "age", "legacy"])
    func `a stale token is told at start and renewed when the APNs token is there`(cause: String) throws {
        let phone = try relaunched { phone in
            switch cause {
            case "version": phone.device.appInfo.shortVersion = "2.0"
            case "app": try phone.rewriteStored { $0.firebaseAppID = "1:2:ios:ab" }
            case "locale": phone.device.facts.preferredLanguages = ["fr-FR"]
            case "age": phone.device.clock.advance(seconds: 604_800)
            default: try phone.rewriteStored { $0.cachedAt = nil }
            }
        }
        #expect(phone.delegate.calls.count == 2)
        #expect(phone.delegate.calls.first == phone.delegate.calls.last)
        phone.setAPNSToken()
        #expect(phone.requests(.register).count == 2)
        #expect(phone.delegate.calls.count == 3)
        #expect(phone.delegate.calls.last == .token(phone.storedToken?.token))
    }

    @Test func `a new APNs token or environment renews the token`() throws {
        let phone = try relaunched { _ in }
        phone.setAPNSToken(Data([9, 9, 9]))
        #expect(phone.requests(.register).last?.text.field("apns_token") == "p_090909")
        phone.messaging.setAPNSToken(Data([9, 9, 9]), type: .sandbox)
        phone.drain()
        #expect(phone.requests(.register).last?.text.field("apns_token") == "s_090909")
        #expect(phone.requests(.register).count == 3)
    }

    @Test func `with auto-init off an existing token still follows the APNs token`() throws {
        let phone = try relaunched { $0.messaging.isAutoInitEnabled = false }
        phone.setAPNSToken(Data([7]))
        #expect(phone.requests(.register).count == 2)
    }

    @Test func `tokens of other senders follow the APNs token, stale ones are dropped`() throws {
        let phone = try relaunched { phone in
            _ = phone.token(of: "42")
            phone.drain()
        }
        phone.setAPNSToken(Data([7]))
        #expect(phone.stored("42")?.apns?.hex == "07")
        phone.device.clock.advance(seconds: 604_800)
        try phone.relaunch()
        #expect(phone.stored("42") == nil)
        #expect(phone.storedToken != nil)
    }

    @Test func `a reinstalled app forgets the old token and clears the old check-in`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let old = try #require(phone.storedToken?.token)
        phone.device = phone.device.reinstalled()
        try phone.launch()
        #expect(phone.delegate.calls == [.token(old)])
        #expect(phone.storedToken == nil)
        let cleared = try #require(phone.requests(.delete).first)
        #expect(cleared.header("Authorization") == "AidLogin 4186988920390508657:9007199254740993")
        #expect(cleared.text.field("iid-operation") == "delete")
        #expect(cleared.text.field("sender") == nil)
        #expect(cleared.text.field("appid") == nil)
        phone.setAPNSToken()
        #expect(phone.requests(.checkIn).count == 2)
        #expect(phone.requests(.checkIn).last?.text.contains(#""id":0"#) == true)
        let new = try #require(phone.storedToken?.token)
        #expect(new != old)
        #expect(phone.delegate.calls == [.token(old), .token(new)])
    }

    @Test func `a store that is locked at start changes nothing`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let token = phone.tokens.fcmToken
        phone.device = phone.device.relaunched()
        phone.device.secureStore.fail(reads: .interactionNotAllowed, writes: .interactionNotAllowed)
        try phone.launch()
        phone.setAPNSToken()
        #expect(phone.requests(.register).count == 1)
        #expect(phone.logCodes.contains("I-FCM002032"))
        phone.device.secureStore.fail(reads: nil, writes: nil)
        let result = phone.token()
        phone.drain()
        #expect(try result.entries.first?.get() == token)
    }
}

@Suite struct `The locale of a registration` {
    @Test(
        arguments: [
            (["en-US"], "en"), (["fr-CA"], "fr_CA"), (["fr-FR"], "fr"), (["pt-BR"], "pt_BR"), (["pt-AO"], "pt_PT"),
            (["zh-Hant-TW"], "zh_Hant"), (["zh-Hans-CN"], "zh_Hans"), (["zh-TW"], "zh_Hant"), (["nb-NO"], "no"),
            (["es-MX"], "es_MX"), (["es-AR"], "es_ES"), (["xx-YY", "de-AT"], "de"), (["xx"], "en"), ([], "en"),
            ([""], "en"), (["-"], "en"), (["he_IL"], "he"), (["iw"], "he"),
        ] as [([String], String)])
    func `is the user's first one that the service speaks`(languages: [String], expected: String) {
        #expect(FirebaseLocale.match(languages) == expected)
    }
}
