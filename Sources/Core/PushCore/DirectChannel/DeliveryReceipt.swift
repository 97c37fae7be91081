import PushModel
import Timekeeping

extension DeviceInboxes {
    /// How long an app server may be away before a receipt for it is dropped.
    private static let receiptLifetimeSeconds: Int64 = 86_400

    /// The receipt that the sender asked for. Source: FCM XMPP protocol, "Delivery receipts".
    func receipt(of delivery: QueuedDelivery) -> UpstreamDraft? {
        guard let request = delivery.message.message.receiptRequest else { return nil }
        let now = clock.now()
        let token = delivery.recipient.isFIDMode ? delivery.recipient.fid : tokens.token(of: delivery.recipient)
        return UpstreamDraft(
            project: delivery.message.project.number, kind: .receipt, from: "gcm.googleapis.com",
            category: delivery.recipient.bundleID, messageID: "dr2:" + request.originalID,
            data: [
                .init(key: "message_status", value: "MESSAGE_SENT_TO_DEVICE"),
                .init(key: "original_message_id", value: request.originalID),
                .init(key: "device_registration_id", value: token),
                .init(key: "message_sent_timestamp", value: String(delivery.message.acceptedAt.milliseconds)),
            ], timeToLiveSeconds: 0, expiresAt: now.adding(seconds: Self.receiptLifetimeSeconds))
    }
}
