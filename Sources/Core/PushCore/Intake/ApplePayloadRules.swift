import JSON
import PushModel

/// The free-form payload of `ApnsConfig`, as far as Apple gives its keys a meaning. Unlike in the rest of a message,
/// `null` is a value here, of the wrong type. Sources: Apple, "Generating a remote notification"; the answers of FCM.
struct ApplePayloadRules {
    private static let field = "message.apns.payload.aps"

    let message: Message
    let apns: APNsOptions

    private var isLiveActivity: Bool { apns.liveActivityToken != nil || pushType == "liveactivity" }
    private var pushType: String? { apns.headers.first { $0.key == "apns-push-type" }?.value }

    func check() throws(SendError) {
        guard let payload = apns.payload else { return }
        guard let value = payload["aps"] else {
            throw .invalid(
                "message.apns.payload", "Payload of Apple Push Notification Service must contain an [aps] key.")
        }
        guard let aps = value.object else { throw Self.mismatch("aps", .object, at: Self.field) }
        for member in aps { try check(member, in: Self.topTypes, field: Self.field) }
        try checkAlert(aps["alert"])
        try checkSound(aps["sound"])
        guard isContent(aps) else {
            throw .invalid(Self.field, "The aps dictionary has nothing to show, to play or to wake the app for.")
        }
    }

    // MARK: Types

    private enum ValueType {
        case string, number, flag, object, strings, textOrObject

        /// As FCM's answers call it.
        var noun: String {
            switch self {
            case .string: "a String"
            case .number, .flag: "a number"
            case .object: "a Dictionary"
            case .strings: "an array of Strings"
            case .textOrObject: "a String or a Dictionary"
            }
        }

        func admits(_ value: JSONValue) -> Bool {
            switch (self, value) {
            case (.string, .string), (.number, .number), (.flag, .number), (.flag, .bool), (.object, .object),
                (.textOrObject, .string), (.textOrObject, .object):
                true
            case (.strings, .array(let elements)): elements.allSatisfy { $0.kind == .string }
            default: false
            }
        }
    }

    private static let topTypes: [String: ValueType] = [
        "alert": .textOrObject, "badge": .number, "sound": .textOrObject, "thread-id": .string, "category": .string,
        "content-available": .flag, "mutable-content": .flag, "target-content-id": .string,
        "interruption-level": .string, "relevance-score": .number, "filter-criteria": .string, "timestamp": .number,
        "event": .string, "content-state": .object, "stale-date": .number, "dismissal-date": .number,
        "attributes-type": .string, "attributes": .object, "url-args": .strings,
    ]

    private static let alertTypes: [String: ValueType] = [
        "title": .string, "subtitle": .string, "body": .string, "title-loc-key": .string,
        "subtitle-loc-key": .string, "loc-key": .string, "title-loc-args": .strings, "subtitle-loc-args": .strings,
        "loc-args": .strings, "launch-image": .string, "action-loc-key": .string, "action": .string,
    ]

    private static let soundTypes: [String: ValueType] = ["name": .string, "volume": .number, "critical": .flag]

    private func check(
        _ member: JSONObject.Member, in types: [String: ValueType], field: String
    ) throws(SendError) {
        guard let type = types[member.name], !type.admits(member.value) else { return }
        throw Self.mismatch(member.name, type, at: "\(field).\(member.name)")
    }

    private static func mismatch(_ key: String, _ type: ValueType, at field: String) -> SendError {
        .invalid(field, "Value type for APS key [\(key)] is \(type.noun).")
    }

    // MARK: Dictionaries

    /// The texts of a live activity's alert may be dictionaries with a key and arguments.
    private func checkAlert(_ alert: JSONValue?) throws(SendError) {
        for member in alert?.object?.members ?? [] {
            if isLiveActivity, member.value.kind == .object { continue }
            try check(member, in: Self.alertTypes, field: "\(Self.field).alert")
        }
    }

    private func checkSound(_ sound: JSONValue?) throws(SendError) {
        guard let sound = sound?.object else { return }
        for member in sound { try check(member, in: Self.soundTypes, field: "\(Self.field).sound") }
        guard let volume = sound["volume"]?.double else { return }
        guard (0...1).contains(volume) else {
            throw .invalid("\(Self.field).sound.volume", "The volume of a sound must be from 0 to 1.")
        }
    }

    // MARK: Content

    /// Push types that say more than `aps` does.
    private static let typesWithoutContent: Set<String> = [
        "voip", "complication", "fileprovider", "mdm", "location", "liveactivity", "pushtotalk", "widgets", "controls",
    ]

    /// Whether the push does anything. `content_available` and other misspelt keys are no content.
    private func isContent(_ aps: JSONObject) -> Bool {
        if isLiveActivity || pushType.map(Self.typesWithoutContent.contains) == true { return true }
        if message.notification?.title?.isEmpty == false || message.notification?.body?.isEmpty == false { return true }
        if aps["badge"] != nil || isSet(aps["content-available"]) { return true }
        return isFilled(aps["alert"]) || isFilled(aps["sound"])
    }

    private func isSet(_ flag: JSONValue?) -> Bool {
        flag?.bool ?? (flag?.double == 1)
    }

    private func isFilled(_ value: JSONValue?) -> Bool {
        switch value {
        case .string(let text): !text.isEmpty
        case .object(let object): !object.isEmpty
        default: false
        }
    }
}
