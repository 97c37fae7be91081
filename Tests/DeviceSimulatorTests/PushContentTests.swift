import JSON
import Testing

@testable import DeviceSimulator

@Suite struct `Push content` {
    struct Row: Sendable {
        var payload: String
        var hasAlert: Bool
        var isContentAvailable: Bool

        init(_ payload: String, alert: Bool, content: Bool) {
            self.payload = payload
            hasAlert = alert
            isContentAvailable = content
        }
    }

    static let rows = [
        Row(#"{"aps":{"alert":"text"}}"#, alert: true, content: false),
        Row(#"{"aps":{"alert":{"title":"t"}}}"#, alert: true, content: false),
        Row(#"{"aps":{"alert":{"loc-key":"K"}}}"#, alert: true, content: false),
        Row(#"{"aps":{"alert":""}}"#, alert: false, content: false),
        Row(#"{"aps":{"alert":{}}}"#, alert: false, content: false),
        Row(#"{"aps":{"alert":7}}"#, alert: false, content: false),
        Row(#"{"aps":{"content-available":1}}"#, alert: false, content: true),
        Row(#"{"aps":{"content-available":true}}"#, alert: false, content: true),
        Row(#"{"aps":{"content-available":0}}"#, alert: false, content: false),
        Row(#"{"aps":{"content-available":"1"}}"#, alert: false, content: false),
        Row(#"{"aps":{"alert":"x","content-available":1}}"#, alert: true, content: true),
        Row(#"{"aps":{}}"#, alert: false, content: false),
    ]

    @Test(arguments: rows) func `tells what is shown and who is told`(row: Row) {
        let content = PushContent(Array(row.payload.utf8))
        #expect(content?.hasAlert == row.hasAlert)
        #expect(content?.isContentAvailable == row.isContentAvailable)
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"aps":[]}"#, #"{"aps":"x"}"#, "null", "\u{feff}"])
    func `is nothing when the payload is not an object with an aps object`(payload: String) {
        #expect(PushContent(Array(payload.utf8)) == nil)
    }

    @Test func `takes a sound by its name and a badge that is a number`() {
        let content = PushContent(
            Array(#"{"aps":{"sound":{"name":"s.caf","critical":1},"badge":4,"alert":"a"}}"#.utf8))
        #expect(content?.sound == "s.caf")
        #expect(content?.badge == 4)
        #expect(PushContent(Array(#"{"aps":{"badge":"4"}}"#.utf8))?.badge == nil)
    }
}

@Suite struct `Notification tray` {
    private func shown(_ identifier: String, _ bundleID: String = "a") -> ShownNotification {
        ShownNotification(
            identifier: identifier, bundleID: bundleID, payload: ["gcm.message_id": .string("m-" + identifier)])
    }

    @Test func `replaces a notification of the same identifier and app`() {
        var tray = NotificationTray()
        for notification in [shown("1"), shown("2"), shown("1"), shown("1", "b")] { tray.show(notification) }
        #expect(tray.notifications.map(\.identifier) == ["2", "1", "1"])
    }

    @Test func `forgets the app's notifications when its badge becomes 0`() {
        var tray = NotificationTray()
        tray.show(shown("1"))
        tray.show(shown("2", "b"))
        tray.setBadge(3, of: "a")
        #expect(tray.badges == ["a": 3])
        tray.setBadge(0, of: "a")
        #expect(tray.badges.isEmpty)
        #expect(tray.notifications.map(\.bundleID) == ["b"])
    }

    @Test func `gives the newest or the named one to a tap`() {
        var tray = NotificationTray()
        for identifier in ["1", "2", "3"] { tray.show(shown(identifier)) }
        #expect(tray.take(nil)?.identifier == "3")
        #expect(tray.take("1")?.identifier == "1")
        #expect(tray.take("m-2")?.identifier == "2")
        #expect(tray.take(nil) == nil)
    }
}
