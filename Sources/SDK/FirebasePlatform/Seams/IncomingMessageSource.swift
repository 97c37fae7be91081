/// Where messages come from that the system hands to the app: on Apple the app-delegate and notification-centre proxies.
///
/// Messaging observes it at configure, unless `FirebaseAppDelegateProxyEnabled` is false; then the app itself calls
/// `Messaging.appDidReceiveMessage(_:)` and `Messaging.appDidDismissMessage(_:)`.
public protocol IncomingMessageSource: Sendable {
    /// Calls `handler` on the main executor with each message, until the observation is cancelled.
    func observeMessages(_ handler: @escaping @Sendable (IncomingMessage) -> Void) -> Observation
}
