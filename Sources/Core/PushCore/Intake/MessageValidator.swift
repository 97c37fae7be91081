public import PushModel

/// The rules that a message keeps whoever gets it and whatever door it came through. What depends on the rendered
/// push (APNs headers, Apple's size limit) the translator checks.
public struct MessageValidator: Sendable {
    private let limits: MessageLimits

    public init(limits: MessageLimits = MessageLimits()) {
        self.limits = limits
    }

    /// - Throws: `invalidArgument`, `reservedDataKey`, `timeToLiveOutOfRange` or `messageTooBig`: the first rule that is
    ///   broken.
    public func validate(_ message: Message, to target: SendTarget) throws(SendError) {
        try DataKeyRules.check(message.data, field: "message.data")
        if let android = message.android {
            try DataKeyRules.check(android.data, field: "message.android.data")
            if let notification = android.notification { try AndroidNotificationRules.check(notification) }
        }
        if let webpush = message.webpush {
            try DataKeyRules.check(webpush.data, field: "message.webpush.data")
            try WebPushRules.check(webpush)
        }
        if let apns = message.apns { try ApplePayloadRules(message: message, apns: apns).check() }
        try checkSize(of: message, limitBytes: limitBytes(for: target), isTopic: target.isTopic)
    }

    private func limitBytes(for target: SendTarget) -> Int {
        target.isTopic ? limits.maximumTopicBytes : limits.maximumBytes
    }

    private func checkSize(of message: Message, limitBytes: Int, isTopic: Bool) throws(SendError) {
        let size = MessageSize(message: message)
        if size.commonBytes > limitBytes {
            throw SendError(
                .messageTooBig,
                "Message is too large. The maximum is \(limitBytes / 1024)K (\(limitBytes) bytes).")
        }
        if size.androidBytes > limitBytes { throw SendError(.messageTooBig, "Android message is too big") }
        if size.webPushBytes > limitBytes { throw SendError(.messageTooBig, "Web push message is too big") }
        if isTopic, size.appleBytes > limitBytes { throw SendError(.messageTooBig, "iOS message is too big") }
    }
}

extension SendTarget {
    /// Whether the target may name any number of devices.
    public var isTopic: Bool {
        switch self {
        case .token, .fid, .tokens: false
        case .topic, .condition, .segment: true
        }
    }
}
