import Bytes
import JSON
import PushModel
import Timekeeping

/// The options and the payload of a legacy message.
struct LegacyContent: Sendable, Equatable {
    var data: [Message.DataEntry] = []
    var notification: LegacyNotification?
    var collapseKey: String?
    var priority: MessagePriority?
    var isContentAvailable = false
    var isContentMutable = false
    var timeToLive = TimeToLive.longest
    /// Only the app of this package or bundle may get the message.
    var restrictedPackageName: String?
    /// XMPP only.
    var receiptRequest: ReceiptRequest?

    /// The same message in the terms of the core: what the common part cannot say goes into the Apple part.
    ///
    /// - Parameters:
    ///   - now: Apple's expiration is a point in time, the legacy one a duration.
    ///   - digest: SHA-256, for collapse keys that APNs would not take.
    func message(at now: Timestamp, digest: ([UInt8]) -> [UInt8]) -> Message {
        Message(
            data: data, notification: notification?.common,
            apns: APNsOptions(
                headers: appleHeaders(at: now, digest: digest), payload: applePayload, image: notification?.image),
            android: AndroidOptions(
                collapseKey: collapseKey, priority: priority, timeToLive: timeToLive,
                restrictedPackageName: restrictedPackageName, notification: notification?.android),
            webpush: notification?.web.map { WebPushOptions(notification: $0) }, receiptRequest: receiptRequest)
    }

    private func appleHeaders(at now: Timestamp, digest: ([UInt8]) -> [UInt8]) -> [Message.DataEntry] {
        let expiration = timeToLive.seconds == 0 ? 0 : now.adding(seconds: timeToLive.seconds).seconds
        var headers = [Message.DataEntry(key: "apns-expiration", value: String(expiration))]
        if let applePriority { headers.append(.init(key: "apns-priority", value: applePriority)) }
        if let collapseKey, !collapseKey.isEmpty {
            headers.append(.init(key: "apns-collapse-id", value: collapseID(collapseKey, digest)))
        }
        return headers
    }

    /// A silent push is never urgent, whatever the sender wrote: APNs would refuse it.
    private var applePriority: String? {
        switch priority {
        case .high: notification?.isVisible == true ? "10" : nil
        case .normal: "5"
        case nil: nil
        }
    }

    /// The key itself, or its hash when it is longer than APNs allows or no header value.
    private func collapseID(_ key: String, _ digest: ([UInt8]) -> [UInt8]) -> String {
        let isPlain =
            key.utf8.count <= 64 && key.utf8.allSatisfy { (0x20..<0x7f).contains($0) } && !key.hasPrefix(" ")
            && !key.hasSuffix(" ")
        return isPlain ? key : Base64URL.encode(digest(Array(key.utf8)))
    }

    /// `nil` when the common part says everything.
    private var applePayload: JSONObject? {
        var aps = notification?.aps ?? JSONObject()
        if isContentAvailable { aps["content-available"] = 1 }
        if isContentMutable { aps["mutable-content"] = 1 }
        let extras = notification?.extras ?? []
        guard !aps.isEmpty || !extras.isEmpty else { return nil }
        if notification?.isVisible != true { aps["content-available"] = 1 }
        var payload: JSONObject = ["aps": .object(aps)]
        for extra in extras { payload["gcm.notification." + extra.key] = .string(extra.value) }
        return payload
    }
}
