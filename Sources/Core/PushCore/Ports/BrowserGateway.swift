public import PushModel

/// Takes translated pushes to browsers whose push service is not this one.
public protocol BrowserGateway: Sendable {
    /// Encrypts and tries once. Calls `completion` exactly once, from any thread.
    func send(
        _ push: BrowserPush, to address: BrowserAddress, from project: ProjectNumber,
        completion: @escaping @Sendable (GatewayAnswer) -> Void
    )
}
