import JSON
import PushCore
import PushModel

/// `Message` with its target still as text.
struct MessageDraft {
    var target: TargetDraft?
    var message = Message()
    /// Which of the two Android parts came.
    var hasAndroid = false
    var hasAndroidV2 = false
}

extension ProtoJSONReader {
    mutating func readMessageDraft() throws(JSONError) -> MessageDraft? {
        var draft = MessageDraft()
        let isThere = try readMessage(MessageSchema.message) { (reader, field) throws(JSONError) in
            switch field {
            case .token, .fid, .topic, .condition: try reader.readTarget(field, into: &draft)
            case .name: _ = try reader.readString()
            case .data: draft.message.data = try reader.readStringMap() ?? []
            case .notification: draft.message.notification = try reader.readNotification()
            case .fcmOptions: draft.message.analyticsLabel = try reader.readLabel(MessageSchema.fcmOptions)
            case .apns: draft.message.apns = try reader.readAPNs()
            case .webpush: draft.message.webpush = try reader.readWebPush()
            case .android: try reader.readAndroid(into: &draft)
            case .androidV2: try reader.readAndroidV2(into: &draft)
            }
        }
        return isThere ? draft : nil
    }

    /// A member of the oneof: presence counts, also of an empty text; repeating the same member is no conflict.
    private mutating func readTarget(
        _ field: MessageSchema.Message, into draft: inout MessageDraft
    ) throws(JSONError) {
        guard let text = try readString() else {
            if draft.target?.field == field { draft.target = nil }
            return
        }
        if let target = draft.target, target.field != field {
            note(.conflict(oneof: "target"))
        } else {
            draft.target = TargetDraft(field: field, text: text)
        }
    }

    private mutating func readNotification() throws(JSONError) -> Message.Notification? {
        var notification = Message.Notification()
        let isThere = try readMessage(MessageSchema.notification) { (reader, field) throws(JSONError) in
            switch field {
            case .title: notification.title = try reader.readString()
            case .body: notification.body = try reader.readString()
            case .image: notification.image = try reader.readString()
            }
        }
        return isThere ? notification : nil
    }

    private mutating func readAPNs() throws(JSONError) -> APNsOptions? {
        var options = APNsOptions()
        let isThere = try readMessage(MessageSchema.apns) { (reader, field) throws(JSONError) in
            switch field {
            case .headers: options.headers = try reader.readHeaders()
            case .payload: options.payload = try reader.readStruct()
            case .liveActivityToken: options.liveActivityToken = try reader.readString()
            case .fcmOptions: (options.image, options.analyticsLabel) = try reader.readAPNsFCMOptions()
            }
        }
        return isThere ? options : nil
    }

    private mutating func readAPNsFCMOptions() throws(JSONError) -> (image: String?, label: AnalyticsLabel?) {
        var image: String?
        var label: AnalyticsLabel?
        _ = try readMessage(MessageSchema.apnsFCMOptions) { (reader, field) throws(JSONError) in
            switch field {
            case .image: image = try reader.readString()
            case .analyticsLabel: label = try reader.readLabelText()
            }
        }
        return (image, label)
    }

    private mutating func readWebPush() throws(JSONError) -> WebPushOptions? {
        var options = WebPushOptions()
        let isThere = try readMessage(MessageSchema.webpush) { (reader, field) throws(JSONError) in
            switch field {
            case .headers: options.headers = try reader.readHeaders()
            case .data: options.data = try reader.readStringMap()
            case .notification: options.notification = try reader.readStruct()
            case .fcmOptions: (options.link, options.analyticsLabel) = try reader.readWebPushFCMOptions()
            }
        }
        return isThere ? options : nil
    }

    private mutating func readWebPushFCMOptions() throws(JSONError) -> (link: String?, label: AnalyticsLabel?) {
        var link: String?
        var label: AnalyticsLabel?
        _ = try readMessage(MessageSchema.webpushFCMOptions) { (reader, field) throws(JSONError) in
            switch field {
            case .link: link = try reader.readString()
            case .analyticsLabel: label = try reader.readLabelText()
            }
        }
        return (link, label)
    }

    mutating func readLabel(_ type: MessageType<MessageSchema.Label>) throws(JSONError) -> AnalyticsLabel? {
        var label: AnalyticsLabel?
        _ = try readMessage(type) { (reader, _) throws(JSONError) in label = try reader.readLabelText() }
        return label
    }

    /// An empty label is the same as none: proto3 strings have no presence.
    private mutating func readLabelText() throws(JSONError) -> AnalyticsLabel? {
        guard let text = try readString(), !text.isEmpty else { return nil }
        return require(AnalyticsLabel(text), orElse: SendError.invalidAnalyticsLabel)
    }

    /// Header names are lower case from here on, as HTTP/2 wants them.
    private mutating func readHeaders() throws(JSONError) -> [Message.DataEntry] {
        guard var headers = try readStringMap() else { return [] }
        for index in headers.indices { headers[index].key = headers[index].key.lowercasedASCII() }
        return headers.keepingLastValues()
    }
}
