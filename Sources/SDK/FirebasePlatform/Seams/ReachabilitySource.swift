/// Whether the device has a network.
public protocol ReachabilitySource: Sendable {
    var isReachable: Bool { get }
    /// Whether the network there is costs the user by the byte.
    var isCellular: Bool { get }
    /// Calls `handler` on the main executor for each change, until the observation is cancelled.
    func observe(_ handler: @escaping @Sendable (_ isReachable: Bool) -> Void) -> Observation
}

extension ReachabilitySource {
    public var isCellular: Bool { false }
}
