import JSON
import PushModel

/// Writes the JSON that a web app's service worker gets.
///
/// Source: the JavaScript SDK's `MessagePayloadInternal`; FCM HTTP v1, `WebpushConfig`, for what overrides what.
enum BrowserPayload {
    /// What `collapse_key` says of a message without one.
    private static let noCollapseKey = "do_not_collapse"
    /// The service's own number in the SDK's reports of deliveries.
    private static let productID = 111_881_503

    static func render(_ message: ValidatedMessage, topic: String?) -> [UInt8] {
        let content = message.message
        var writer = JSONWriter(reservingBytes: 1024)
        writer.beginObject()
        writer.member("from", from(message))
        writer.member("collapse_key", content.android?.collapseKey ?? topic ?? noCollapseKey)
        writer.member("fcmMessageId", message.id.description)
        writer.member("productId", productID)
        if let notification = notification(of: content) { writer.member("notification", .object(notification)) }
        var data = content.webpush?.data ?? content.data
        if let campaign = content.campaign { data += [.init(key: "google.c.a.e", value: "1")] + campaign.entries }
        write(data, with: &writer)
        let options = options(of: content)
        if !options.isEmpty { writer.member("fcmOptions", .object(options)) }
        writer.endObject()
        return writer.bytes
    }

    private static func from(_ message: ValidatedMessage) -> String {
        if case .topic(let name) = message.target { "/topics/\(name)" } else { message.project.number.description }
    }

    /// The common notification, each member of which the web part may replace or add to.
    private static func notification(of message: Message) -> JSONObject? {
        guard message.notification != nil || message.webpush?.notification != nil else { return nil }
        var object = JSONObject()
        let common = message.notification
        for (name, text) in [("title", common?.title), ("body", common?.body), ("image", common?.image)] {
            if let text { object[name] = .string(text) }
        }
        for member in message.webpush?.notification ?? JSONObject() { object[member.name] = member.value }
        return object
    }

    private static func write(_ data: [Message.DataEntry], with writer: inout JSONWriter) {
        guard !data.isEmpty else { return }
        writer.key("data")
        writer.beginObject()
        for entry in data { writer.member(entry.key, entry.value) }
        writer.endObject()
    }

    private static func options(of message: Message) -> JSONObject {
        var options = JSONObject()
        if let link = message.webpush?.link, !link.isEmpty { options["link"] = .string(link) }
        if let label = message.webpush?.analyticsLabel ?? message.analyticsLabel {
            options["analytics_label"] = .string(label.text)
        }
        return options
    }
}
