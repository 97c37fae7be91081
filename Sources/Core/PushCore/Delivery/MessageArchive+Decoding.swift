import Bytes
import JSON
import PushModel
import Timekeeping

extension SendTarget {
    init?(archived value: JSONValue) {
        guard let object = value.object, object.count == 1, let member = object.members.first else { return nil }
        let target: SendTarget? =
            switch member.name {
            case "token": member.value.string.map { .token($0) }
            case "fid": member.value.string.flatMap { FirebaseInstallationID($0) }.map { .fid($0) }
            case "tokens": .tokens([])
            case "topic": member.value.string.flatMap { TopicName($0) }.map { .topic($0) }
            case "condition": TopicCondition(archived: member.value).map { .condition($0) }
            case "segment": Segment(json: member.value).map { .segment($0) }
            default: nil
            }
        guard let target else { return nil }
        self = target
    }
}

extension TopicCondition {
    fileprivate init?(archived value: JSONValue) {
        if let topic = value.string.flatMap({ TopicName($0) }) {
            self = .member(topic)
            return
        }
        guard let operands = value.array?.dropFirst().map({ TopicCondition(archived: $0) }) else { return nil }
        switch (value[0]?.string, operands.first ?? nil, operands.dropFirst().first ?? nil, operands.count) {
        case ("&&", let left?, let right?, 2): self = .and(left, right)
        case ("||", let left?, let right?, 2): self = .or(left, right)
        case ("!", let operand?, nil, 1): self = .not(operand)
        default: return nil
        }
    }
}

extension Message {
    init?(archived object: JSONObject) {
        guard let data = object.entries("data"), let label = object.label("analytics_label") else { return nil }
        self.init(data: data ?? [], analyticsLabel: label)
        if let value = object["notification"] {
            guard let notification = value.object else { return nil }
            self.notification = Notification(
                title: notification["title"]?.string, body: notification["body"]?.string,
                image: notification["image"]?.string)
        }
        if let value = object["apns"] {
            guard let apns = value.object.flatMap({ APNsOptions(archived: $0) }) else { return nil }
            self.apns = apns
        }
        if let value = object["android"] {
            guard let android = value.object.flatMap({ AndroidOptions(archived: $0) }) else { return nil }
            self.android = android
        }
        if let value = object["webpush"] {
            guard let webpush = value.object.flatMap({ WebPushOptions(archived: $0) }) else { return nil }
            self.webpush = webpush
        }
        campaign = object["campaign"]?.object.flatMap { CampaignMark(archived: $0) }
        receiptRequest = object["receipt"]?.string.map { ReceiptRequest(originalID: $0) }
        origin = object["door"]?.string.flatMap { MessageOrigin.Door(rawValue: $0) }.map {
            MessageOrigin($0, sender: object["sender"]?.string ?? "")
        }
        if let value = object["encrypted"] {
            guard let encrypted = value.object.flatMap({ EncryptedContent(archived: $0) }) else { return nil }
            self.encrypted = encrypted
        }
    }
}

extension CampaignMark {
    fileprivate init?(archived object: JSONObject) {
        guard let id = object["id"]?.int64, let time = object["time"]?.int64 else { return nil }
        self.init(
            id: id, label: object["label"]?.string ?? "", time: Timestamp(milliseconds: time),
            usesRecipientTime: object["recipient_time"]?.bool ?? false,
            tracksConversions: object["conversions"]?.bool ?? false)
    }
}

extension EncryptedContent {
    fileprivate init?(archived object: JSONObject) {
        guard let body = object["body"]?.string.flatMap({ Base64URL.decode($0) }),
            let encoding = object["encoding"]?.string, let from = object["from"]?.string
        else { return nil }
        self.init(
            body: body, contentEncoding: encoding, cryptoKey: object["crypto_key"]?.string,
            encryption: object["encryption"]?.string, from: from, topic: object["topic"]?.string)
    }
}

extension APNsOptions {
    fileprivate init?(archived object: JSONObject) {
        guard let headers = object.entries("headers"), let label = object.label("analytics_label") else { return nil }
        self.init(
            headers: headers ?? [], payload: object["payload"]?.object, image: object["image"]?.string,
            analyticsLabel: label, liveActivityToken: object["live_activity_token"]?.string)
    }
}

extension AndroidOptions {
    fileprivate init?(archived object: JSONObject) {
        guard let data = object.entries("data"), let label = object.label("analytics_label") else { return nil }
        self.init(
            collapseKey: object["collapse_key"]?.string,
            priority: object["priority"]?.string.flatMap { MessagePriority(rawValue: $0) },
            timeToLive: object["ttl"]?.int64.flatMap { TimeToLive(seconds: $0) },
            restrictedPackageName: object["restricted_package_name"]?.string, data: data,
            notification: object["notification"]?.object, analyticsLabel: label,
            directBootOK: object["direct_boot_ok"]?.bool ?? false)
    }
}

extension WebPushOptions {
    fileprivate init?(archived object: JSONObject) {
        guard let headers = object.entries("headers"), let data = object.entries("data"),
            let label = object.label("analytics_label")
        else { return nil }
        self.init(
            headers: headers ?? [], data: data, notification: object["notification"]?.object,
            link: object["link"]?.string, analyticsLabel: label)
    }
}

extension JSONObject {
    /// Keys and values one after another. The outer `nil` is damage, the inner one absence.
    fileprivate func entries(_ name: String) -> [Message.DataEntry]?? {
        guard let value = self[name] else { return .some(nil) }
        guard let texts = value.array, texts.count.isMultiple(of: 2) else { return nil }
        var entries: [Message.DataEntry] = []
        for place in stride(from: 0, to: texts.count, by: 2) {
            guard let key = texts[place].string, let value = texts[place + 1].string else { return nil }
            entries.append(Message.DataEntry(key: key, value: value))
        }
        return .some(entries)
    }

    /// The outer `nil` is damage, the inner one absence.
    fileprivate func label(_ name: String) -> AnalyticsLabel?? {
        guard let value = self[name] else { return .some(nil) }
        guard let label = value.string.flatMap({ AnalyticsLabel($0) }) else { return nil }
        return .some(label)
    }
}
