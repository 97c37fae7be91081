import JSON
public import PushModel
import Timekeeping

/// Decides for each recipient where its copy of a message goes.
///
/// Android apps and browsers are reached over the device channel. An Apple app is reached through APNs, but data for an
/// app in the foreground, which holds a connection, takes that; so does data for an app that APNs does not know yet.
/// A browser of another push service is reached by web push.
public struct DeliveryPlanner: Sendable {
    private let live: LiveDevices
    private let endpoints: BrowserEndpoints

    public init(live: LiveDevices, registrations: any RegistrationStore, tokens: RegistrationTokenCodec) {
        self.live = live
        endpoints = BrowserEndpoints(registrations: registrations, tokens: tokens)
    }

    /// - Parameter recipients: Of one message.
    public func plan(_ message: ValidatedMessage, for recipients: [Registration]) -> [PlannedDelivery] {
        let isForApps = message.message.isDataForApps
        return recipients.map { recipient in
            PlannedDelivery(
                registration: recipient.id, inbox: place(of: message, isForApps, for: recipient),
                dimensions: ReportDimensions(message.message, to: recipient))
        }
    }

    private func place(_ message: ValidatedMessage, for recipient: Registration, device: UInt64) -> InboxPlace {
        let key = message.message.collapseKey(for: recipient)
        var place = InboxPlace(
            device: device, collapseKey: key?.key, expiresAt: message.deviceExpiry(for: recipient.channel),
            isConnected: live.isConnected(device))
        place.isKeyImplied = key?.isImplied == true
        return place
    }

    private func place(of message: ValidatedMessage, _ isForApps: Bool, for recipient: Registration) -> InboxPlace? {
        switch recipient.channel {
        case .device:
            return recipient.androidID == 0 ? nil : place(message, for: recipient, device: recipient.androidID)
        case .apple(let address):
            guard isForApps, recipient.androidID != 0 else { return nil }
            var place = place(message, for: recipient, device: recipient.androidID)
            guard place.isConnected || address == nil else { return nil }
            place.mayReturn = true
            return place
        case .web:
            guard let browser = browser(of: recipient) else { return nil }
            return place(message, for: recipient, device: browser.androidID)
        }
    }

    /// The registration of the browser itself, when the endpoint of a web registration is one of ours: the last part of
    /// its path is the browser's token.
    func browser(of recipient: Registration) -> Registration? {
        guard case .web(let endpoint, _, _, _) = recipient.channel,
            case .live(let browser)? = try? endpoints.kind(of: endpoint)
        else { return nil }
        return browser
    }
}

extension Message {
    /// Whether the message has data only, so that an app that runs can be handed it: nothing is shown to the user, and
    /// every value is a text, as the device channel carries them.
    fileprivate var isDataForApps: Bool {
        guard notification == nil, encrypted == nil, apns?.liveActivityToken == nil, apns?.image == nil else {
            return false
        }
        for member in apns?.payload ?? [:] where member.name != "aps" {
            guard member.value.string != nil else { return false }
        }
        let aps = apns?.payload?["aps"]?.object
        return ["alert", "badge", "sound"].allSatisfy { aps?[$0] == nil }
    }

    /// What the message collapses with, if it does: the sender's key, or the name of the Android app that shows it.
    /// Source: FCM, "Non-collapsible and collapsible messages": notifications always collapse.
    func collapseKey(for recipient: Registration) -> (key: String, isImplied: Bool)? {
        let key: String?
        switch recipient.channel {
        case .device: key = encrypted?.topic ?? android?.collapseKey
        case .apple: key = android?.collapseKey ?? apns?.headers.last { $0.key == "apns-collapse-id" }?.value
        case .web: key = encrypted?.topic ?? webpush?.header("topic")
        }
        // What Android's own client writes for messages that do not collapse.
        guard key != "do_not_collapse" else { return nil }
        if let key, !key.isEmpty { return (key, false) }
        guard case .device = recipient.channel, notification != nil || android?.notification != nil else { return nil }
        return recipient.bundleID.isEmpty ? nil : (recipient.bundleID, true)
    }
}

extension WebPushOptions {
    /// The last value of a header, whatever the case of its name.
    func header(_ name: String) -> String? {
        headers.last { $0.key.lowercased() == name }?.value
    }
}

extension ValidatedMessage {
    /// How long the message may wait for a device.
    func deviceLifetimeSeconds(for channel: Registration.Channel) -> Int64 {
        switch channel {
        case .device: return (message.android?.timeToLive ?? .longest).seconds
        case .web:
            guard let given = message.webpush?.header("ttl").flatMap({ Int64($0) }) else {
                return (message.android?.timeToLive ?? .longest).seconds
            }
            return min(max(0, given), TimeToLive.longest.seconds)
        case .apple:
            return appleLifetimeSeconds
        }
    }

    /// Until the time after which APNs would drop it, too.
    private var appleLifetimeSeconds: Int64 {
        let given = message.apns?.headers.last { $0.key == "apns-expiration" }.flatMap { Int64($0.value) }
        guard let given else { return (message.android?.timeToLive ?? .longest).seconds }
        let left = given.subtractingReportingOverflow(acceptedAt.seconds)
        return left.overflow ? 0 : min(max(0, left.partialValue), TimeToLive.longest.seconds)
    }

    func deviceExpiry(for channel: Registration.Channel) -> Timestamp {
        acceptedAt.adding(seconds: deviceLifetimeSeconds(for: channel))
    }
}

extension DeliveryPlanner? {
    /// Without a planner, gateways reach everyone.
    func plan(_ message: ValidatedMessage, for recipients: [Registration]) -> [PlannedDelivery] {
        self?.plan(message, for: recipients)
            ?? recipients.map {
                PlannedDelivery(registration: $0.id, dimensions: ReportDimensions(message.message, to: $0))
            }
    }
}

extension Acceptance {
    /// The deliveries as they go on their way.
    func queued(
        _ message: ValidatedMessage, to recipients: [Registration], as planned: [PlannedDelivery]
    ) -> [QueuedDelivery] {
        let shared = SharedMessage(message)
        return zip(deliveries, zip(recipients, planned)).map { accepted, recipient in
            let position = recipient.1.inbox.map {
                InboxPosition(device: $0.device, previous: accepted.previousInInbox)
            }
            return QueuedDelivery(id: accepted.id, shared: shared, recipient: recipient.0, inbox: position)
        }
    }
}
