import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

/// A phone that counts what a message sets off: a link is opened for each message that is new.
private func receivingPhone() throws -> TestPhone {
    let phone = TestPhone()
    phone.device.analytics = RecordingAnalytics()
    try phone.launch()
    return phone
}

extension TestPhone {
    fileprivate var opened: Int { device.links.record.entries.count }

    @discardableResult
    fileprivate func receive(_ message: [AnyHashable: Any]) -> MessagingMessageStatus {
        let status = messaging.appDidReceiveMessage(message).status
        drain()
        return status
    }
}

@Suite struct `Rule 8 - messages that came before` {
    static func alert(_ id: Any?) -> [AnyHashable: Any] {
        var message: [AnyHashable: Any] = ["aps": ["alert": "hi"], "gcm.app_link": "https://example.com/a"]
        message["gcm.message_id"] = id
        return message
    }

    static func silent(_ id: String, ttl: Any? = nil) -> [AnyHashable: Any] {
        var message = alert(id)
        message["aps"] = ["content-available": 1]
        message["gcm.ttl"] = ttl
        return message
    }

    @Test func `the status is always new, unless there is nothing`() throws {
        let phone = try receivingPhone()
        #expect(phone.receive([:]) == .unknown)
        #expect(phone.receive(Self.alert("1")) == .new)
        #expect(phone.receive(Self.alert("1")) == .new)
        #expect(phone.receive([7: 7]) == .new)
    }

    @Test func `a message handed over twice counts once in a process`() throws {
        let phone = try receivingPhone()
        phone.receive(Self.alert("1"))
        phone.receive(Self.alert("1"))
        #expect(phone.opened == 1)
        try phone.relaunch()
        phone.receive(Self.alert("1"))
        #expect(phone.opened == 1)
        #expect(phone.device.files.files[ReceivedMessages.path] == nil)
    }

    @Test func `a silent message counts once across launches`() throws {
        let phone = try receivingPhone()
        phone.receive(Self.silent("1"))
        #expect(phone.opened == 1)
        try phone.relaunch()
        phone.receive(Self.silent("1"))
        #expect(phone.opened == 0)
        phone.receive(Self.silent("2"))
        #expect(phone.opened == 1)
    }

    @Test(arguments: [60 as any Sendable, "60", 60.0]) func `its row lives as long as the message`(ttl: any Sendable)
        throws
    {
        let phone = try receivingPhone()
        phone.receive(Self.silent("1", ttl: ttl))
        phone.device.clock.advance(seconds: 59)
        try phone.relaunch()
        phone.receive(Self.silent("1", ttl: ttl))
        #expect(phone.opened == 0)
        phone.device.clock.advance(seconds: 1)
        try phone.relaunch()
        phone.receive(Self.silent("1", ttl: ttl))
        #expect(phone.opened == 1)
    }

    @Test(arguments: [nil, "soon", -5, [1], "99999999999999999999"] as [(any Sendable)?])
    func `without a sensible lifetime its row lives four weeks`(ttl: (any Sendable)?) throws {
        let phone = try receivingPhone()
        phone.receive(Self.silent("1", ttl: ttl))
        phone.device.clock.advance(seconds: 28 * 86400 - 1)
        try phone.relaunch()
        phone.receive(Self.silent("1", ttl: ttl))
        #expect(phone.opened == 0)
        phone.device.clock.advance(seconds: 1)
        try phone.relaunch()
        phone.receive(Self.silent("1", ttl: ttl))
        #expect(phone.opened == 1)
    }

    @Test func `without an id every call counts`() throws {
        let phone = try receivingPhone()
        for id in [nil, "", ["x"]] as [Any?] {
            let before = phone.opened
            phone.receive(Self.alert(id))
            phone.receive(Self.alert(id))
            #expect(phone.opened == before + 2)
        }
    }

    @Test(arguments: ["", "{", "[]", #"{"messages":7}"#, #"{"messages":[7,{"id":1},{"expires":2}]}"#])
    func `a broken file counts as empty`(text: String) throws {
        let phone = try receivingPhone()
        try phone.device.files.write(Array(text.utf8), to: ReceivedMessages.path)
        phone.receive(Self.silent("1"))
        #expect(phone.opened == 1)
    }

    @Test func `a file that cannot be written costs nothing but the memory of launches`() throws {
        let phone = try receivingPhone()
        phone.device.files.fail(with: FileStoreError(reason: "full"))
        phone.receive(Self.silent("1"))
        phone.receive(Self.silent("1"))
        #expect(phone.opened == 1)
    }

    @Test func `the ids of a process stay within bounds`() {
        var ids = RecentIDs()
        for number in 0..<20000 {
            let isNew = ids.insert("\(number)")
            let isNewAgain = ids.insert("\(number)")
            #expect(isNew && !isNewAgain)
        }
    }

    @Test func `malformed payloads never trap`() throws {
        let phone = try receivingPhone()
        let odd: [Any] = [
            7, "x", true, [1], ["a": 1], [String: Any](), 1.5, Double.nan, Float(1), UInt64.max, NSNull.self,
        ]
        let keys = [
            "aps", "gcm.message_id", "gcm.ttl", "gcm.app_link", "google.c.a.e", "google.c.a.ts", "google.c.a.tc",
            "from",
            "google.c.cm.lt_start", "google.c.cm.lt_end", "gcm.notification.badge", "gcm.notification.sound",
        ]
        for key in keys {
            for value in odd {
                var message: [AnyHashable: Any] = ["google.c.a.e": "1"]
                message[key] = value
                phone.receive(message)
            }
        }
        for value in odd {
            phone.receive(["aps": ["alert": value, "content-available": value], "gcm.message_id": "m"])
        }
    }
}

@Suite struct `Links in messages` {
    @Test func `are opened on the main executor`() throws {
        let phone = try receivingPhone()
        let executor = phone.device.executor
        let onMain = Record<Bool>()
        let opened = phone.device.links.record.observe { _ in onMain.append(executor.isCurrent) }
        let links = ["https://example.com/a?b=c", "HTTP://example.com/"]
        for link in links { phone.receive(["gcm.app_link": link]) }
        opened.cancel()
        #expect(phone.device.links.record.entries == links)
        #expect(onMain.entries == [true, true])
        #expect(RecordingLinks.activityType == "NSUserActivityTypeBrowsingWeb")
    }

    @Test func `that are no URL are left alone`() throws {
        let phone = try receivingPhone()
        for link in ["", 7, ["https://example.com"]] as [Any] { phone.receive(["gcm.app_link": link]) }
        #expect(phone.opened == 0)
    }

    @Test(arguments: ["myapp://page", "javascript:alert(1)", "tel:123", "/a/b", "https://", "https:a", "example.com"])
    func `that are no web address are left alone, for the system would end the app`(link: String) throws {
        let phone = try receivingPhone()
        phone.receive(["gcm.app_link": link])
        #expect(phone.opened == 0)
    }
}

@Suite struct `Rule 9 - messages for a time of the device's clock` {
    /// The device's clocks show 2023-11-15 03:13:20 (UTC+5).
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var start: String?
        var end: String?
        var shown: LocalTime?
    }

    static let soon = LocalTime(year: 2023, month: 11, day: 15, hour: 3, minute: 13, second: 30)

    static let rows = [
        Row(
            testDescription: "start in the future", start: "2023-11-15 03:13:21",
            shown: LocalTime(year: 2023, month: 11, day: 15, hour: 3, minute: 13, second: 21)),
        Row(
            testDescription: "start in the future, end too", start: "2024-02-29 23:59:59", end: "2024-03-01 00:00:00",
            shown: LocalTime(year: 2024, month: 2, day: 29, hour: 23, minute: 59, second: 59)),
        Row(testDescription: "start passed, no end", start: "2023-11-15 03:13:20"),
        Row(testDescription: "start and end passed", start: "2023-11-15 03:00:00", end: "2023-11-15 03:13:20"),
        Row(
            testDescription: "start passed, end in the future", start: "2023-11-15 03:00:00",
            end: "2023-11-15 03:13:21",
            shown: soon),
        Row(testDescription: "no such day", start: "2024-02-30 00:00:00"),
        Row(testDescription: "no such hour", start: "2024-02-28 24:00:00"),
        Row(testDescription: "twelve-hour clock", start: "2024-02-28 01:00:00 PM"),
        Row(testDescription: "other form", start: "2024-02-28T01:00:00"),
        Row(testDescription: "empty", start: ""),
        Row(testDescription: "unreadable end", start: "2023-11-15 03:00:00", end: "tomorrow"),
    ]

    func phone() throws -> TestPhone {
        let phone = TestPhone()
        phone.device.facts.offsetSeconds = 5 * 3600
        try phone.launch()
        return phone
    }

    @Test(arguments: rows) func `are shown when it is their time`(row: Row) throws {
        let phone = try phone()
        var message: [AnyHashable: Any] = ["aps": ["content-available": 1], "gcm.message_id": "m"]
        message["google.c.cm.lt_start"] = row.start
        message["google.c.cm.lt_end"] = row.end
        phone.receive(message)
        phone.receive(message)
        #expect(phone.device.scheduler.record.entries.map(\.at) == [row.shown].compactMap { $0 })
    }

    @Test func `an ordinary message schedules nothing`() throws {
        let phone = try phone()
        phone.receive(["gcm.message_id": "m", "gcm.notification.title": "t"])
        #expect(phone.device.scheduler.record.entries.isEmpty)
    }

    @Test func `an unreadable time is logged`() throws {
        let phone = try phone()
        phone.receive(["google.c.cm.lt_start": 7])
        #expect(phone.logCodes.contains("I-FCM015000"))
    }

    @Test func `the content comes from the message, and a tap is an ordinary message`() throws {
        let phone = try phone()
        phone.receive([
            "aps": ["content-available": 1], "gcm.message_id": "m", "google.c.cm.lt_start": "2024-01-01 00:00:00",
            "google.c.cm.cat": "x", "gcm.notification.content-available": "1", "gcm.notification.title": "100 %@",
            "gcm.notification.body": "b", "gcm.notification.badge": "3", "gcm.notification.sound": "ding.caf",
            "gcm.notification.click_action": "OPEN", "google.c.a.e": "1", "key": "value",
        ])
        let shown = try #require(phone.device.scheduler.record.entries.first)
        #expect(shown.identifier == "m")
        #expect(shown.title == "100 %@")
        #expect(shown.body == "b")
        #expect(shown.badge == 3)
        #expect(shown.sound == "ding.caf")
        #expect(shown.category == "OPEN")
        #expect(
            Set(shown.userInfo.keys) == [
                "gcm.message_id", "gcm.notification.title", "gcm.notification.body", "gcm.notification.badge",
                "gcm.notification.sound", "gcm.notification.click_action", "google.c.a.e", "key",
            ])
    }

    @Test func `without a message id it gets one of its own`() throws {
        let phone = try phone()
        phone.receive(["google.c.cm.lt_start": "2024-01-01 00:00:00"])
        #expect(phone.device.scheduler.record.entries.first?.identifier.count == 32)
    }
}

@Suite struct `Rule 10 - analytics` {
    static let full: [String: String] = [
        "google.c.a.e": "1", "google.c.a.c_id": "42", "google.c.a.c_l": "name", "google.c.a.m_l": "label",
        "google.c.a.ts": "1700000000", "google.c.a.udt": "0", "from": "/topics/news",
    ]

    static let parameters: [String: PayloadValue] = [
        "_nmid": "42", "_nmn": "name", "label": "label", "_nt": "/topics/news", "_nmt": 1_700_000_000, "_ndt": "0",
    ]

    func events(
        _ state: AppState, aps: [String: any Sendable] = ["alert": "hi"], _ extra: [String: any Sendable] = [:],
        base: [String: String] = full
    ) throws -> [RecordingAnalytics.Entry] {
        let phone = try receivingPhone()
        phone.device.appState.move(to: state)
        var message: [AnyHashable: Any] = ["aps": aps]
        for (key, value) in base { message[key] = value }
        for (key, value) in extra { message[key] = value }
        phone.receive(message)
        return phone.device.analytics?.record.entries ?? []
    }

    @Test func `in the foreground it is _nf with every parameter`() throws {
        #expect(try events(.active) == [.event(origin: "fcm", name: "_nf", parameters: Self.parameters)])
    }

    @Test(arguments: [AppState.inactive, .background])
    func `otherwise it is _no when the system showed something`(state: AppState) throws {
        let opened = [RecordingAnalytics.Entry.event(origin: "fcm", name: "_no", parameters: Self.parameters)]
        #expect(try events(state) == opened)
        #expect(try events(state, aps: ["alert": ["title": "t"]]) == opened)
        #expect(try events(state, aps: ["alert": ""]).isEmpty)
        #expect(try events(state, aps: ["alert": [String: String]()]).isEmpty)
        #expect(try events(state, aps: ["content-available": 1]).isEmpty)
    }

    @Test func `without an application there is nothing`() throws {
        #expect(try events(.absent).isEmpty)
    }

    @Test(arguments: [1 as any Sendable, true, "0", "true", "", "01"]) func `only the text 1 opens the gate`(
        value: any Sendable
    ) throws {
        #expect(try events(.active, ["google.c.a.e": value]).isEmpty)
    }

    @Test func `a conversion sets the campaign before the open`() throws {
        let entries = try events(.background, ["google.c.a.tc": "1"])
        let campaign: [String: PayloadValue] = [
            "source": "Firebase", "medium": "notification", "campaign": "42",
        ]
        #expect(
            entries.prefix(2) == [
                .userProperty(origin: "fcm", name: "_ln", value: "42"),
                .event(origin: "fcm", name: "_cmp", parameters: campaign),
            ])
        #expect(entries.count == 3)
        #expect(try events(.background, ["google.c.a.tc": "0"]).count == 1)
        #expect(try events(.active, ["google.c.a.tc": "1"]).count == 1)
        #expect(try events(.background, ["google.c.a.tc": "1"], base: ["google.c.a.e": "1"]).count == 1)
    }

    @Test func `what is missing or of another type is left out`() throws {
        let bare: [RecordingAnalytics.Entry] = [.event(origin: "fcm", name: "_nf", parameters: [:])]
        #expect(try events(.active, base: ["google.c.a.e": "1", "from": "123", "google.c.a.ts": "0"]) == bare)
        #expect(
            try events(.active, ["google.c.a.c_id": 7, "google.c.a.ts": "x", "from": 7], base: ["google.c.a.e": "1"])
                == bare)
    }
}
