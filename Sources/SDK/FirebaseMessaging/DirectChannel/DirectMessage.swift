import FirebasePlatform
import MCSWire

/// A message of the direct channel, as the app is to see it.
struct DirectMessage: Sendable, Equatable {
    /// The server's id. Empty when it gave none.
    var persistentID = ""
    /// What the app sees, but for binary data.
    var payload: [String: PayloadValue] = [:]
    var rawData: [UInt8]?
    /// What tells duplicates over both ways, `nil` when the message came on this one only.
    var duplicate: Duplicate?
    /// A `message_type` that says nothing to this SDK.
    var unknownType: String?

    struct Duplicate: Sendable, Equatable {
        var messageID: String
        var timeToLiveSeconds: Int64?
    }

    /// What a stanza is.
    enum Content: Sendable, Equatable {
        case message(DirectMessage)
        /// The server gave up messages that waited for this device.
        case messagesDeleted
        /// Talk between server and system that no app sees.
        case forTheSystem
    }
}

extension DirectMessage.Content {
    private static let systemCategories: Set = ["com.google.gcm", "com.google.android.gsf.gtalkservice"]
    private static let systemSender = "mcs.android.com"

    init(_ stanza: DataMessageStanza) {
        guard !Self.systemCategories.contains(stanza.category), stanza.from != Self.systemSender else {
            self = .forTheSystem
            return
        }
        let type = stanza.appData.last { $0.key == "message_type" }?.value ?? ""
        self = type == "deleted_messages" ? .messagesDeleted : .message(DirectMessage(stanza, type: type))
    }
}

extension DirectMessage {
    private static let notificationPrefix = "gcm.notification."
    private static let duplexKey = "gcm.duplex"
    private static let messageIDKey = "gcm.message_id"
    /// What the server calls an ordinary message, when it says so at all.
    private static let ordinaryType = "gcm"

    init(_ stanza: DataMessageStanza, type: String) {
        persistentID = stanza.persistentID
        rawData = stanza.rawData.flatMap { $0.isEmpty ? nil : $0 }
        if !stanza.from.isEmpty { payload["from"] = .string(stanza.from) }
        if !stanza.token.isEmpty { payload["collapse_key"] = .string(stanza.token) }
        var notification: [String: PayloadValue] = [:]
        for item in stanza.appData {
            if item.key == "from" || item.key.lowercased().hasPrefix("google.") { continue }
            if item.key.hasPrefix(Self.notificationPrefix) {
                notification[String(item.key.dropFirst(Self.notificationPrefix.count))] = .string(item.value)
            } else {
                payload[item.key] = .string(item.value)
            }
        }
        if !notification.isEmpty { payload["notification"] = .dictionary(notification) }
        if type.isEmpty || type == Self.ordinaryType {
            duplicate = duplicateKey(stanza)
        } else {
            unknownType = type
        }
        payload = payload.filter { key, _ in !key.hasPrefix("gcm.") }
    }

    /// The message may come by APNs too when the server says so, or gives it the id that the push would carry.
    private func duplicateKey(_ stanza: DataMessageStanza) -> Duplicate? {
        let ownID = payload[Self.messageIDKey]?.string.flatMap { $0.isEmpty ? nil : $0 }
        guard ownID != nil || payload[Self.duplexKey]?.isTrue == true else { return nil }
        let id = ownID ?? stanza.persistentID
        guard !id.isEmpty else { return nil }
        let timeToLive = payload["gcm.ttl"]?.wholeNumber.flatMap { $0 >= 0 ? $0 : nil }
        return Duplicate(messageID: id, timeToLiveSeconds: timeToLive)
    }
}
