import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

/// The cases of messages that a console sends for a time of the recipient's clock.
@Suite struct `Cases of local time` {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var start: String
        var end: String?
        var shown: LocalTime?
    }

    /// The device's clock shows 2023-11-15 03:13:20 (UTC+5).
    static let rows = [
        Row(
            testDescription: "future", start: "2030-03-04 12:00:00", end: "2030-03-05 12:00:00",
            shown: LocalTime(year: 2030, month: 3, day: 4, hour: 12, minute: 0, second: 0)),
        Row(testDescription: "past, no end", start: "2020-01-01 12:00:00"),
        Row(testDescription: "end passed", start: "2020-01-01 12:00:00", end: "2020-01-02 12:00:00"),
        Row(
            testDescription: "between", start: "2020-01-01 12:00:00", end: "2030-03-05 12:00:00",
            shown: LocalTime(year: 2023, month: 11, day: 15, hour: 3, minute: 13, second: 30)),
    ]

    func shown(_ row: Row, _ change: (inout InMemoryDevice) -> Void = { _ in }) throws -> [LocalNotification] {
        let phone = TestPhone()
        phone.device.facts.offsetSeconds = 5 * 3600
        change(&phone.device)
        try phone.launch()
        var message: [AnyHashable: Any] = [
            "aps": ["content-available": 1], "gcm.message_id": "1", "gcm.notification.title": "Lunch",
            "gcm.notification.body": "Noon, your time", "gcm.notification.sound": "default",
            "gcm.notification.badge": "1", "google.c.cm.lt_start": row.start, "google.c.a.e": "1",
            "google.c.a.udt": "1", "case": row.testDescription,
        ]
        message["google.c.cm.lt_end"] = row.end
        phone.messaging.appDidReceiveMessage(message)
        phone.drain()
        return phone.device.scheduler.record.entries
    }

    @Test(arguments: rows) func `CON-02 one notification at its time, or none when that is over`(row: Row) throws {
        let notifications = try shown(row)
        #expect(notifications.map(\.at) == [row.shown].compactMap { $0 })
        for notification in notifications {
            #expect(notification.title == "Lunch" && notification.body == "Noon, your time")
            #expect(notification.sound == "default" && notification.badge == 1)
            let keys = notification.userInfo.keys
            #expect(!keys.contains { $0 == "aps" || $0.hasPrefix("google.c.cm.") })
            #expect(notification.userInfo["case"] == .string(row.testDescription))
            #expect(keys.contains("google.c.a.e") && keys.contains("google.c.a.udt"))
        }
    }

    @Test(
        arguments: rows,
        ["th_TH@calendar=buddhist", "ja_JP@calendar=japanese", "ar_SA@calendar=islamic;hours=h12", "fa_IR", "en_US"])
    func `CON-03 times are read alike, whatever the device's calendar and clock`(row: Row, locale: String) throws {
        let notifications = try shown(row) { device in
            device.facts.preferredLanguages = [locale]
        }
        #expect(notifications.map(\.at) == [row.shown].compactMap { $0 })
    }
}
