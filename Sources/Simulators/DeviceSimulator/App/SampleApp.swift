import FirebaseCore
import FirebaseInstallations
import FirebaseMessaging
import FirebasePlatform
public import JSON

/// The app that runs on a virtual iPhone: what a developer writes after the getting-started guide. It keeps the SDK's
/// delegate and reports what it is told.
final class SampleApp: MessagingDelegate, HostedApp {
    typealias Report = @Sendable (DeviceEvent.Kind, _ messageID: String?, JSONObject) -> Void

    private let package: AppPackage
    let report: Report
    private let registered: @Sendable (_ identifier: String?) -> Void

    /// - Parameters:
    ///   - report: Hears each callback.
    ///   - registered: Hears the token, or the FID in FID mode; `nil` when it is gone.
    init(
        package: AppPackage, report: @escaping Report,
        registered: @escaping @Sendable (_ identifier: String?) -> Void
    ) {
        self.package = package
        self.report = report
        self.registered = registered
    }

    /// `application(_:didFinishLaunchingWithOptions:)`. Called on main, inside the phone's container.
    func didFinishLaunching(tapped payload: JSONObject?) {
        FirebaseApp.configure()
        guard FirebaseApp.app() != nil else { return }
        let messaging = Messaging.messaging()
        messaging.delegate = self
        report(.didFinishLaunching, nil, [:])
        if package.opensDirectChannel {
            let user: any DirectChannelUser = self
            user.openDirectChannel()
        }
    }

    func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String?) {
        report(.didReceiveRegistrationToken, nil, ["token": fcmToken.map { .string($0) } ?? .null])
        registered(fcmToken)
    }

    func messaging(_ messaging: Messaging, didReceiveRegistration installationId: String?) {
        report(.didReceiveRegistration, nil, ["fid": installationId.map { .string($0) } ?? .null])
        registered(installationId)
    }

    func messaging(_ messaging: Messaging, didUnregister installationId: String) {
        report(.didUnregister, nil, ["fid": .string(installationId)])
    }

    /// Subscribes to a topic, or leaves it. Called on main, inside the phone's container.
    func changeTopic(_ change: TopicChange, completion: @escaping @Sendable (_ outcome: TopicOutcome) -> Void) {
        let ended: (TopicOutcome) -> Void = { [report] outcome in
            switch outcome {
            case .failed(let failure):
                report(.didFailTopicCall, nil, ["topic": .string(change.topic), "error": .string(failure.description)])
            case .done, .waiting:
                report(change.subscribes ? .didSubscribe : .didUnsubscribe, nil, ["topic": .string(change.topic)])
            }
            completion(outcome)
        }
        if change.subscribes {
            Messaging.messaging().subscribe(toTopic: change.topic) { ended(TopicOutcome($0)) }
        } else {
            Messaging.messaging().unsubscribe(fromTopic: change.topic) { ended(TopicOutcome($0)) }
        }
    }

    /// What the SDK's proxy does for the app when a push comes in, whichever callback brings it.
    private func received(_ payload: JSONObject) {
        _ = Messaging.messaging().appDidReceiveMessage(payload.userInfo)
    }

    func willPresent(_ notification: ShownNotification, answer: @escaping @Sendable (_ shows: Bool) -> Void) {
        received(notification.payload)
        answer(false)
    }

    func didReceiveResponse(to notification: ShownNotification, action: NotificationAction) {
        switch action {
        case .open: received(notification.payload)
        case .dismiss: Messaging.messaging().appDidDismissMessage(notification.payload.userInfo)
        }
    }

    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    func didReceiveRemoteNotification(_ payload: JSONObject) {
        received(payload)
        guard package.reportsDeliveries else { return }
        Messaging.serviceExtension().exportDeliveryMetricsToBigQuery(withMessageInfo: payload.userInfo)
    }
}

extension JSONObject {
    /// The dictionary that iOS hands to an app.
    public var userInfo: [AnyHashable: Any] {
        var result: [AnyHashable: Any] = [:]
        for member in members { result[member.name] = member.value.foundationValue }
        return result
    }
}

extension JSONValue {
    fileprivate var foundationValue: Any {
        switch self {
        case .null: PayloadValue.null
        case .bool(let value): value
        case .number(let number): number.foundationValue
        case .string(let text): text
        case .array(let values): values.map(\.foundationValue)
        case .object(let object): object.userInfo
        }
    }
}

extension JSONNumber {
    /// A whole number when it is one, as `NSJSONSerialization` decides.
    fileprivate var foundationValue: Any {
        if let integer = int64 { return integer }
        return double ?? Double.infinity
    }
}
