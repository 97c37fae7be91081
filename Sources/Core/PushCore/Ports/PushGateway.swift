public import PushModel
public import Timekeeping

/// What a platform's service said to one try.
public enum GatewayAnswer: Sendable, Equatable {
    case accepted(providerID: String)
    /// This push will never be accepted.
    case rejected(SendError)
    /// Worth another try after that time, until the push expires.
    case retry(afterMilliseconds: Int64, SendError)
    /// APNs disowned the token. The dispatcher asks the registry whether the app confirmed it later.
    case unregistered(SendError, invalidAt: Timestamp?)
}

/// Takes translated pushes to Apple devices.
public protocol AppleGateway: Sendable {
    /// Tries once (with the immediate repeats that the protocol makes safe). Calls `completion` exactly once, from
    /// any thread.
    func send(
        _ push: ApplePush, from project: ProjectNumber, bundleID: String,
        completion: @escaping @Sendable (GatewayAnswer) -> Void
    )

    /// Runs `body`, which sends many pushes and does not block: a gateway may put them on their way at its end.
    func sendingTogether(_ body: () -> Void)
}

extension AppleGateway {
    public func sendingTogether(_ body: () -> Void) {
        body()
    }
}
