import JSON
import PushModel

/// What a message weighs for each platform: the bytes of names and values, before any rendering.
struct MessageSize {
    let message: Message

    /// The part that every platform gets.
    var commonBytes: Int { bytes(of: message.data) + notificationBytes }

    /// `android.data` replaces the common data.
    var androidBytes: Int {
        guard let android = message.android else { return 0 }
        return bytes(of: android.data ?? message.data) + max(notificationBytes, bytes(of: android.notification))
    }

    /// `webpush.data` replaces the common data.
    var webPushBytes: Int {
        guard let webpush = message.webpush else { return 0 }
        return bytes(of: webpush.data ?? message.data) + max(notificationBytes, bytes(of: webpush.notification))
    }

    /// The sender's payload beside the common data.
    var appleBytes: Int {
        guard let payload = message.apns?.payload else { return 0 }
        return bytes(of: message.data) + bytes(of: payload)
    }

    private var notificationBytes: Int {
        guard let notification = message.notification else { return 0 }
        return [notification.title, notification.body, notification.image].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }

    private func bytes(of data: [Message.DataEntry]) -> Int {
        data.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    private func bytes(of object: JSONObject?) -> Int {
        object?.members.reduce(0) { $0 + $1.name.utf8.count + bytes(of: $1.value) } ?? 0
    }

    private func bytes(of value: JSONValue) -> Int {
        switch value {
        case .null: 4
        case .bool(let value): value ? 4 : 5
        case .number(let number): number.literal.utf8.count
        case .string(let text): text.utf8.count
        case .array(let elements): elements.reduce(0) { $0 + bytes(of: $1) }
        case .object(let object): bytes(of: object)
        }
    }
}
