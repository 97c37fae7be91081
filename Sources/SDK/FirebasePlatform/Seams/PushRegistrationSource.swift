public enum PushEnvironment: Sendable, Hashable {
    case sandbox, production
}

public enum PushRegistrationEvent: Sendable, Hashable {
    /// APNs gave the app a device token. `environment` is `nil` when the source does not know it.
    case registered(deviceToken: [UInt8], environment: PushEnvironment?)
    case failed(reason: String)
}

/// Where APNs device tokens come from without the app handing them over: on Apple the app-delegate proxy.
///
/// Messaging observes it at configure, unless `FirebaseAppDelegateProxyEnabled` is false; then the app itself sets
/// `Messaging.apnsToken`.
public protocol PushRegistrationSource: Sendable {
    /// Calls `handler` on the main executor, at once with the latest event when there was one, then for each new one.
    func observe(_ handler: @escaping @Sendable (PushRegistrationEvent) -> Void) -> Observation
}
