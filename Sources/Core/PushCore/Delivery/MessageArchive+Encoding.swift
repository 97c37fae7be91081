import Bytes
import JSON
import PushModel
import Timekeeping

extension JSONWriter {
    mutating func write(_ target: SendTarget) {
        beginObject()
        switch target {
        case .token(let text): member("token", text)
        case .fid(let fid): member("fid", fid.text)
        case .tokens: member("tokens", .array([]))
        case .topic(let topic): member("topic", topic.text)
        case .condition(let condition):
            key("condition")
            write(condition)
        case .segment(let segment): member("segment", segment.json)
        }
        endObject()
    }

    /// A topic as its name, everything else as an array that starts with its operator.
    private mutating func write(_ condition: TopicCondition) {
        switch condition {
        case .member(let topic): string(topic.text)
        case .and(let left, let right): writeOperation("&&", [left, right])
        case .or(let left, let right): writeOperation("||", [left, right])
        case .not(let operand): writeOperation("!", [operand])
        }
    }

    private mutating func writeOperation(_ name: String, _ operands: [TopicCondition]) {
        beginArray()
        string(name)
        for operand in operands { write(operand) }
        endArray()
    }

    mutating func writeMembers(of message: Message) {
        if !message.data.isEmpty { member("data", message.data) }
        if let notification = message.notification {
            key("notification")
            write(notification)
        }
        if let apns = message.apns {
            key("apns")
            write(apns)
        }
        if let android = message.android {
            key("android")
            write(android)
        }
        if let webpush = message.webpush {
            key("webpush")
            write(webpush)
        }
        member("analytics_label", message.analyticsLabel?.text)
        if let campaign = message.campaign {
            key("campaign")
            write(campaign)
        }
        member("receipt", message.receiptRequest?.originalID)
        member("door", message.origin?.door.rawValue)
        member("sender", message.origin.flatMap { $0.sender.isEmpty ? nil : $0.sender })
        if let encrypted = message.encrypted {
            key("encrypted")
            write(encrypted)
        }
    }

    private mutating func write(_ campaign: CampaignMark) {
        beginObject()
        member("id", campaign.id)
        member("label", campaign.label)
        member("time", campaign.time.milliseconds)
        if campaign.usesRecipientTime { member("recipient_time", true) }
        if campaign.tracksConversions { member("conversions", true) }
        endObject()
    }

    private mutating func write(_ encrypted: EncryptedContent) {
        beginObject()
        member("body", Base64URL.encode(encrypted.body))
        member("encoding", encrypted.contentEncoding)
        member("crypto_key", encrypted.cryptoKey)
        member("encryption", encrypted.encryption)
        member("from", encrypted.from)
        member("topic", encrypted.topic)
        endObject()
    }

    private mutating func write(_ notification: Message.Notification) {
        beginObject()
        member("title", notification.title)
        member("body", notification.body)
        member("image", notification.image)
        endObject()
    }

    private mutating func write(_ apns: APNsOptions) {
        beginObject()
        if !apns.headers.isEmpty { member("headers", apns.headers) }
        member("payload", apns.payload)
        member("image", apns.image)
        member("analytics_label", apns.analyticsLabel?.text)
        member("live_activity_token", apns.liveActivityToken)
        endObject()
    }

    private mutating func write(_ android: AndroidOptions) {
        beginObject()
        member("collapse_key", android.collapseKey)
        member("priority", android.priority?.rawValue)
        if let seconds = android.timeToLive?.seconds { member("ttl", seconds) }
        member("restricted_package_name", android.restrictedPackageName)
        if let data = android.data { member("data", data) }
        member("notification", android.notification)
        member("analytics_label", android.analyticsLabel?.text)
        if android.directBootOK { member("direct_boot_ok", true) }
        endObject()
    }

    private mutating func write(_ webpush: WebPushOptions) {
        beginObject()
        if !webpush.headers.isEmpty { member("headers", webpush.headers) }
        if let data = webpush.data { member("data", data) }
        member("notification", webpush.notification)
        member("link", webpush.link)
        member("analytics_label", webpush.analyticsLabel?.text)
        endObject()
    }

    /// Keys and values one after another, so that order and repetition stay.
    private mutating func member(_ name: String, _ entries: [Message.DataEntry]) {
        key(name)
        beginArray()
        for entry in entries {
            string(entry.key)
            string(entry.value)
        }
        endArray()
    }

    private mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    private mutating func member(_ name: String, _ object: JSONObject?) {
        guard let object else { return }
        key(name)
        value(.object(object))
    }
}
