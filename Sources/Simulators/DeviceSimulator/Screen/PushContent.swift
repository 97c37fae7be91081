import JSON

/// What iOS reads in a payload.
///
/// Source: Apple, "Generating a remote notification".
struct PushContent: Sendable {
    let payload: JSONObject
    private let aps: JSONObject

    /// `nil` when the payload is no JSON object with an `aps` object: iOS drops such a push.
    init?(_ bytes: [UInt8]) {
        guard let payload = (try? JSONValue(parsing: bytes))?.object, let aps = payload["aps"]?.object else {
            return nil
        }
        self.payload = payload
        self.aps = aps
    }

    var messageID: String? { payload["gcm.message_id"]?.string }

    var title: String? { text("title") }
    var subtitle: String? { text("subtitle") }

    /// A text alert is a body.
    var body: String? { aps["alert"]?.string ?? text("body") }

    private func text(_ name: String) -> String? { aps["alert"]?.object?[name]?.string }

    /// Whether there is something to show: an alert with some text, plain or localised.
    var hasAlert: Bool {
        guard let alert = aps["alert"] else { return false }
        if let text = alert.string { return !text.isEmpty }
        let names = ["title", "subtitle", "body", "loc-key", "title-loc-key", "subtitle-loc-key"]
        return names.contains { alert.object?[$0]?.string?.isEmpty == false }
    }

    var badge: Int? { aps["badge"]?.int64.flatMap { Int(exactly: $0) } }

    /// The file name of the sound, of a plain or a critical one.
    var sound: String? { aps["sound"]?.string ?? aps["sound"]?.object?["name"]?.string }

    /// Whether the app is to be told in the background.
    var isContentAvailable: Bool { isSet("content-available") }

    /// Whether a service extension may change the notification first.
    var isMutable: Bool { isSet("mutable-content") && hasAlert }

    private func isSet(_ name: String) -> Bool { aps[name]?.double == 1 || aps[name]?.bool == true }

    /// The notification as the user sees it.
    func notification(identifier: String, bundleID: String) -> ShownNotification {
        ShownNotification(
            identifier: identifier, bundleID: bundleID, title: title, subtitle: subtitle, body: body,
            category: aps["category"]?.string, threadID: aps["thread-id"]?.string, sound: sound, payload: payload)
    }
}
