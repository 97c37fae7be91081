public import FirebaseCore
import FirebasePlatform

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Firebase Cloud Messaging for the default app.
///
/// Completions and delegate methods arrive on the main executor. A call that does not fit the mode or lacks its sender
/// is answered at once, on the caller's thread.
public final class Messaging: Sendable {
    /// `nil` for an object without a configured app: then `failure` answers every call.
    let core: MessagingCore?
    let failure: MessagingError
    private let container: FirebaseContainer?

    package init(app: FirebaseApp) {
        let core = MessagingCore(app: app)
        self.core = core
        failure = MessagingError(.unknown)
        container = nil
        core.announcer.attach(self)
    }

    private init(unconfiguredIn container: FirebaseContainer?) {
        core = nil
        failure = MessagingError(
            .invalidRequest, reason: container?.configurationFailure?.message ?? "Call FirebaseApp.configure() first.")
        self.container = container
    }

    /// The messaging object of the default app. Without one, every call ends with an error that says why.
    public static func messaging() -> Messaging {
        guard let app = FirebaseApp.app() else { return Messaging(unconfiguredIn: FirebaseContainer.current) }
        return started(for: app)
    }

    /// Starts it unless that was done when the app was configured: a linker that drops what nobody names has dropped the
    /// type that does it, as release builds on Linux do.
    static func started(for app: FirebaseApp) -> Messaging {
        let messaging = app.component(Messaging.self)
        messaging.core?.start()
        return messaging
    }

    /// Told about registrations and messages. Held weakly.
    public weak var delegate: (any MessagingDelegate)? {
        get { core?.announcer.delegate.value }
        set { core?.announcer.delegate = DelegateReference(value: newValue) }
    }
}

extension Messaging: FirebaseComponent {
    package func appDeleted() {
        core?.close()
    }
}

extension FirebaseContainer {
    /// The messaging object of this device's default app, `nil` before it is configured.
    public var messaging: Messaging? {
        app.map { Messaging.started(for: $0) }
    }
}

// MARK: - Device tokens and flags

extension Messaging {
    /// The APNs device token. Setting it lets registrations go out; setting the same one again does nothing. The
    /// environment is found out from the way the app was signed.
    public var apnsToken: Data? {
        get { core?.deviceToken }
        set { core?.setDeviceToken(newValue, type: .unknown) }
    }

    /// Sets the APNs device token with its environment.
    public func setAPNSToken(_ apnsToken: Data, type: MessagingAPNSTokenType) {
        core?.setDeviceToken(apnsToken, type: type)
    }

    /// Whether the app registers by itself. Kept across launches once set.
    ///
    /// Precedence: what was set here, then Info.plist `FirebaseMessagingAutoInitEnabled`, then
    /// `FirebaseApp.isDataCollectionDefaultEnabled`.
    public var isAutoInitEnabled: Bool {
        get { core?.isAutoInitEnabled ?? false }
        set { core?.setAutoInitEnabled(newValue) }
    }

    /// The name that some guides use for `isAutoInitEnabled`.
    public var autoInitEnabled: Bool {
        get { isAutoInitEnabled }
        set { isAutoInitEnabled = newValue }
    }

    /// Whether the app registers with its installation id instead of a token
    /// (Info.plist `FirebaseMessagingInstallationIdEnabled`).
    public var isInstallationIdEnabled: Bool {
        core?.service.kind == .installationID
    }

    /// Tells the SDK about a message that the app received.
    @discardableResult
    public func appDidReceiveMessage(_ message: [AnyHashable: Any]) -> MessagingMessageInfo {
        MessagingMessageInfo(status: core?.receiver.receive(message) ?? .unknown)
    }

    /// Tells the SDK that the user put the notification of a message away, in place of `appDidReceiveMessage(_:)`.
    ///
    /// The system tells an app so, with `UNNotificationDismissActionIdentifier`, for notifications whose category has
    /// `customDismissAction`. Only the app's own server is told, never Google's.
    public func appDidDismissMessage(_ message: [AnyHashable: Any]) {
        core?.receiver.dismiss(message)
    }
}

extension Messaging {
    /// Calls the app back on its main executor.
    func onMain(_ work: @escaping @Sendable () -> Void) {
        if let core {
            core.app.onMain(work)
        } else if let container {
            container.platform.executors.main.enqueue { container.run(work) }
        } else {
            work()
        }
    }

    func warnAboutLostMessage() {
        core?.app.log.warning(
            "I-FCM002019", "A message of the direct channel is lost: no delegate implements messaging(_:didReceive:).")
    }

    func warnAboutMissing(_ method: String) {
        core?.app.log.warning("I-FCM002023", "The messaging delegate does not implement \(method).")
    }
}
