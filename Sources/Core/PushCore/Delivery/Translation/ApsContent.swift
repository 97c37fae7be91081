import JSON
import PushModel

/// The `aps` dictionary of a push and the push type that follows from it.
///
/// The sender's members stay in place and win; what the common parts of the message add comes after them.
struct ApsContent {
    private(set) var aps: JSONObject
    private(set) var pushType = ""

    /// - Parameter givenType: The sender's `apns-push-type`.
    init(_ message: Message, givenType: String?) throws(SendError) {
        switch message.apns?.payload?["aps"] {
        case .object(let given)?: aps = given
        case .null?, nil: aps = JSONObject()
        default: throw .invalid("message.apns.payload.aps", "aps must be an object.")
        }
        let isLiveActivity = message.apns?.liveActivityToken != nil || givenType == "liveactivity"
        setFlag("content-available")
        setFlag("mutable-content")
        if !isLiveActivity {
            merge(message.notification)
            if Self.image(of: message) != nil { letExtensionRun() }
        }
        pushType = givenType ?? (isLiveActivity ? "liveactivity" : isVisible ? "alert" : "background")
        if pushType == "background" { makeSilent() }
    }

    /// The image that the app's service extension is to download.
    static func image(of message: Message) -> String? {
        let image = message.apns?.image ?? message.notification?.image
        return image?.isEmpty == false ? image : nil
    }

    /// Apple knows the number 1 only: true becomes 1, false is the same as absent.
    private mutating func setFlag(_ name: String) {
        guard let isSet = aps[name]?.bool else { return }
        aps[name] = isSet ? 1 : nil
    }

    private mutating func merge(_ notification: Message.Notification?) {
        guard let notification else { return }
        switch aps["alert"] {
        case .object(var alert)?:
            alert.add("title", notification.title, unlessPresent: "title-loc-key")
            alert.add("body", notification.body, unlessPresent: "loc-key")
            aps["alert"] = .object(alert)
        case .null?, nil:
            var alert = JSONObject()
            alert.add("title", notification.title)
            alert.add("body", notification.body)
            if !alert.isEmpty { aps["alert"] = .object(alert) }
        default: break
        }
    }

    /// Without `mutable-content` the image could never be shown.
    private mutating func letExtensionRun() {
        if aps["alert"]?.isBlank == false, aps["mutable-content"] == nil { aps["mutable-content"] = 1 }
    }

    /// Whether the user notices anything. Blank texts do not count: iOS mishandles them in silent pushes.
    private var isVisible: Bool {
        ["alert", "badge", "sound"].contains { aps[$0]?.isBlank == false }
    }

    private mutating func makeSilent() {
        for name in ["alert", "sound"] where aps[name]?.isBlank == true { aps[name] = nil }
        if aps["content-available"] == nil { aps["content-available"] = 1 }
    }
}

extension JSONObject {
    fileprivate mutating func add(_ name: String, _ text: String?, unlessPresent other: String? = nil) {
        guard let text, !text.isEmpty, self[name] == nil else { return }
        if let other, self[other] != nil { return }
        self[name] = .string(text)
    }
}

extension JSONValue {
    fileprivate var isBlank: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        case .object(let object): object.isEmpty
        default: false
        }
    }
}
