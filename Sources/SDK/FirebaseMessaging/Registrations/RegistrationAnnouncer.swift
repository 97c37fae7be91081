import FirebaseCore
import FirebasePlatform
import Synchronization

/// Tells the app about its registration: once per start, and then only about changes.
///
/// The value of the process starts empty, so the first value is always a change.
final class RegistrationAnnouncer: Sendable {
    private struct State {
        var current: String?
        /// Told on main before any delegate was set.
        var undelivered: Announcement?
        var delegate = DelegateReference()
        var messaging = WeakMessaging()
    }

    private struct Announcement: Sendable {
        var value: String?
        var kind: RegistrationKind
    }

    private let app: FirebaseApp
    private let state = Mutex(State())
    /// For parts that wait for a registration.
    let changes = Observers<String?>()

    init(app: FirebaseApp) {
        self.app = app
    }

    func attach(_ messaging: Messaging) {
        state.withLock { $0.messaging = WeakMessaging(value: messaging) }
    }

    var messaging: Messaging? { state.withLock(\.messaging).value }

    /// The value the app was last told.
    var current: String? { state.withLock(\.current) }

    var delegate: DelegateReference {
        get { state.withLock(\.delegate) }
        set {
            let missed = state.withLock { state in
                state.delegate = newValue
                return newValue.value == nil ? nil : state.undelivered.take()
            }
            if let missed { app.onMain { [self] in tellDelegate(missed) } }
        }
    }

    /// - Parameter always: Tells an unchanged value too.
    /// - Returns: Whether the app is told.
    @discardableResult
    func announce(_ value: String?, kind: RegistrationKind, always: Bool = false) -> Bool {
        let value = value?.isEmpty == true ? nil : value
        let changed = state.withLock { state in
            guard state.current != value || always else { return false }
            state.current = value
            return true
        }
        guard changed else { return false }
        changes.notify(value)
        app.onMain { [self] in
            tellDelegate(Announcement(value: value, kind: kind))
            let notifications = app.platform.notifications
            notifications.post(.registrationRefreshed, object: value, userInfo: [:])
            guard kind == .token else { return }
            notifications.post(.defaultTokenFetched, object: value, userInfo: [:])
            notifications.post(.instanceTokenRefreshed, object: value, userInfo: [:])
        }
        return true
    }

    func announceUnregistered(_ installationID: String) {
        app.onMain { [self] in
            let (delegate, messaging) = state.withLock { ($0.delegate, $0.messaging) }
            if let messaging = messaging.value {
                delegate.value?.messaging(messaging, didUnregister: installationID)
            }
            app.platform.notifications.post(
                .messagingInstallationIdUnregistered, object: installationID, userInfo: [:])
        }
    }

    private func tellDelegate(_ announcement: Announcement) {
        let (delegate, messaging) = state.withLock { state in
            state.undelivered = state.delegate.value == nil && announcement.value != nil ? announcement : nil
            return (state.delegate, state.messaging)
        }
        guard let messaging = messaging.value, let delegate = delegate.value else { return }
        switch announcement.kind {
        case .token: Self.delivery.deliver(token: announcement.value, to: delegate, of: messaging)
        case .installationID: delegate.messaging(messaging, didReceiveRegistration: announcement.value)
        }
    }
}

/// The app's delegate, not kept alive.
///
/// `@unchecked Sendable` holds because weak references load and store atomically, the copies are guarded by the
/// announcer's lock, and the delegate's methods are called on the main executor only.
struct DelegateReference: @unchecked Sendable {
    weak var value: (any MessagingDelegate)?
}

private struct WeakMessaging: Sendable {
    weak let value: Messaging?
    init(value: Messaging? = nil) { self.value = value }
}
