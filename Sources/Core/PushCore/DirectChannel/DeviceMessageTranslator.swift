import JSON
public import PushModel
import Timekeeping

/// Turns a message into what goes to a device over its connection.
///
/// Source: the data that FCM's own server writes for Android, Apple's direct channel and browsers, as their SDKs read it.
public struct DeviceMessageTranslator: Sendable {
    /// Encrypts a text for a browser; `nil` when its keys are no keys.
    public typealias BrowserSeal =
        @Sendable (
            _ plaintext: [UInt8], _ p256dh: String, _ auth: String
        ) -> EncryptedContent?

    private let planner: DeliveryPlanner
    private let seal: BrowserSeal

    public init(planner: DeliveryPlanner, seal: @escaping BrowserSeal) {
        self.planner = planner
        self.seal = seal
    }

    /// - Throws: When the device can never get it.
    public func translate(
        _ message: ValidatedMessage, as delivery: DeliveryID, for recipient: Registration
    ) throws(SendError) -> DeviceMessage {
        var translated = DeviceMessage(
            persistentID: PersistentID.text(of: delivery, message: message.id), from: message.senderName,
            category: recipient.bundleID, collapseKey: message.message.collapseKey(for: recipient)?.key,
            timeToLiveSeconds: message.deviceLifetimeSeconds(for: recipient.channel), sentAt: message.acceptedAt,
            isUrgent: message.message.isUrgent(for: recipient.channel),
            wantsPromptAcknowledgement: message.message.receiptRequest != nil || recipient.isApple)
        if translated.timeToLiveSeconds == 0 { translated.persistentID = "" }
        switch recipient.channel {
        case .apple: translated.data = AppleChannelData.entries(of: message)
        case .device:
            if let content = message.message.encrypted {
                translated.put(content)
            } else {
                translated.data = AndroidData.entries(of: message)
            }
            translated.name(recipient)
        case .web(_, let p256dh, let auth, let applicationKey):
            try translateForBrowser(message, recipient, p256dh, auth, applicationKey, into: &translated)
        }
        return translated
    }

    private func translateForBrowser(
        _ message: ValidatedMessage, _ recipient: Registration, _ p256dh: String, _ auth: String,
        _ applicationKey: String, into translated: inout DeviceMessage
    ) throws(SendError) {
        guard let browser = planner.browser(of: recipient) else { throw .unregistered }
        translated.category = browser.bundleID
        translated.from = browser.sender.isEmpty ? applicationKey : browser.sender
        guard let content = seal(try BrowserPushTranslator().push(message).payload, p256dh, auth) else {
            throw SendError(.thirdPartyAuthentication, "The browser's keys are no keys of web push.")
        }
        translated.put(content)
        translated.name(browser)
    }

    /// Says how many messages were dropped. Source: FCM, `deleted_messages`.
    public func note(of dropped: Int, as delivery: DeliveryID, for recipient: Registration, at time: MessageID)
        -> DeviceMessage
    {
        let target = planner.browser(of: recipient) ?? recipient
        var note = DeviceMessage(
            persistentID: PersistentID.text(of: delivery, message: time),
            from: target.sender.isEmpty ? recipient.project.description : target.sender, category: target.bundleID,
            data: [
                .init(key: "message_type", value: "deleted_messages"),
                .init(key: "total_deleted", value: String(dropped)),
            ], timeToLiveSeconds: TimeToLive.longest.seconds, sentAt: .init(milliseconds: time.value / 1000))
        note.name(target)
        return note
    }
}

extension DeviceMessage {
    /// Puts what is encrypted where browsers look for it.
    fileprivate mutating func put(_ content: EncryptedContent) {
        from = content.from.isEmpty ? from : content.from
        rawData = content.body
        if content.contentEncoding == "aes128gcm" {
            data.append(.init(key: "content-encoding", value: "aes128gcm"))
        } else {
            if let key = content.cryptoKey { data.append(.init(key: "crypto-key", value: key)) }
            if let encryption = content.encryption { data.append(.init(key: "encryption", value: encryption)) }
        }
    }

    /// Names the site or extension of a browser. Apps that registered for nothing but their sender need no name.
    fileprivate mutating func name(_ registration: Registration) {
        guard !registration.subtype.isEmpty, registration.subtype != registration.sender else { return }
        data.append(.init(key: "subtype", value: registration.subtype))
    }
}

extension Registration {
    fileprivate var isApple: Bool {
        if case .apple = channel { true } else { false }
    }
}

extension ValidatedMessage {
    /// What the app sees as the sender.
    fileprivate var senderName: String {
        if case .topic(let name) = target { return "/topics/" + name.text }
        return project.number.description
    }
}

extension Message {
    /// Whether the device is to be woken for it. Each platform has a word of its own for that; without one, what the user
    /// sees is urgent. Source: FCM, message priority.
    fileprivate func isUrgent(for channel: Registration.Channel) -> Bool {
        let said: Bool? =
            switch channel {
            case .device: nil
            case .apple: apns?.headers.last { $0.key == "apns-priority" }.map { $0.value == "10" }
            case .web: webpush?.header("urgency").map { $0 == "high" }
            }
        return said ?? android?.priority.map { $0 == .high } ?? (notification != nil || android?.notification != nil)
    }
}
