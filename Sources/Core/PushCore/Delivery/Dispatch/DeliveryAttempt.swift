import PushModel
import Timekeeping

/// A delivery in memory, with what its tries so far have taught.
struct DeliveryAttempt: Sendable {
    var delivery: QueuedDelivery
    var template: ApplePushTemplate?
    /// The message as browsers of other push services get it.
    var browserPush: BrowserPush?
    /// Answers that asked for another try.
    var failures = 0
    /// The registration's environment is wrong; this one is tried instead.
    var otherEnvironment: APNsEnvironment?
    /// Sent to find out whether a device takes messages again.
    var isProbe = false
    /// Hears the first outcome; taken away once it did.
    var observer: FirstOutcomeObserver?

    init(_ delivery: QueuedDelivery, template: ApplePushTemplate? = nil, observer: FirstOutcomeObserver? = nil) {
        self.delivery = delivery
        self.template = template
        self.observer = observer
    }

    /// When trying ends; `nil` before the message was rendered.
    var expiresAt: Timestamp? { browserPush?.expiresAt ?? template?.expiresAt }

    var isForLiveActivity: Bool { delivery.message.message.apns?.liveActivityToken != nil }
}
