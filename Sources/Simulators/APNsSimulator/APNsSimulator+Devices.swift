import Timekeeping

extension APNsSimulator {
    /// A device, made when there is none of that name.
    public func device(_ id: String) -> SimulatedDevice {
        service.withState { $0.devices.addDevice(id: id) }
        return SimulatedDevice(id: id, simulator: self)
    }

    /// The names of all devices, sorted.
    public var deviceIDs: [String] {
        service.withState { $0.devices.devices.keys.sorted() }
    }

    /// The registration of a token; `nil` when nobody registered it.
    public func registration(ofToken token: String) -> TokenRegistration? {
        service.withState { $0.devices.registration(ofToken: token.lowercased()) }
    }

    /// Makes a token invalid from now on.
    ///
    /// - Parameter reason: `expiredToken` or `unregistered`.
    public func endToken(_ token: String, reason: RejectionReason = .unregistered) {
        let now = service.clock.now()
        service.withState { $0.devices.end(token: token.lowercased(), reason: reason, at: now) }
    }
}

/// The device side of the service: what an operating system does for its apps.
public struct SimulatedDevice: Sendable {
    public let id: String
    private let simulator: APNsSimulator

    init(id: String, simulator: APNsSimulator) {
        self.id = id
        self.simulator = simulator
    }

    private var service: PushService { simulator.service }

    /// Registers an app for pushes, or one of its parts; asked again, gives the same token.
    ///
    /// - Parameters:
    ///   - suffix: What the part's topic has after the bundle id: `PushType.topicSuffix`.
    ///   - token: A token that the caller wants, hexadecimal; otherwise it is random.
    ///   - renewing: Gives a new token although the old one lives; the old one dies.
    /// - Returns: The device token, lower-case hexadecimal.
    @discardableResult
    public func register(
        bundleID: String, environment: SimulatedEnvironment = .sandbox, suffix: String = "", token: String? = nil,
        renewing: Bool = false
    ) -> String {
        let now = service.clock.now()
        return service.withState { state in
            state.devices.register(
                bundleID: bundleID, suffix: suffix, environment: environment, onDevice: id,
                token: token?.lowercased(), renewing: renewing, now: now)
        }
    }

    /// Removes an app. Pushes to it are answered 410 from now on.
    public func uninstall(bundleID: String) {
        let now = service.clock.now()
        service.withState { $0.devices.uninstall(bundleID: bundleID, fromDevice: id, now: now) }
    }

    /// Takes the device away, its tokens with it.
    public func remove() {
        let listeners = service.withState { state in
            state.devices.removeDevice(id: id)
            return state.listeners.removeValue(forKey: id) ?? [:]
        }
        // Outside the lock: a stream that ends takes itself off the list.
        for listener in listeners.values { listener.finish() }
    }

    // MARK: Channels

    /// Lets the device follow a broadcast channel; its pushes come to apps that are registered.
    public func follow(channel: String, environment: SimulatedEnvironment = .sandbox) {
        service.withState { $0.channels[environment, default: ChannelDirectory()].follow(channel, device: id) }
    }

    public func unfollow(channel: String, environment: SimulatedEnvironment = .sandbox) {
        service.withState { $0.channels[environment]?.unfollow(channel, device: id) }
    }

    // MARK: Condition

    /// Whether the device has a connection to the service. What waited is delivered when it comes back.
    public func setOnline(_ isOnline: Bool) {
        change { $0.isOnline = isOnline }
    }

    /// Whether the device is in use.
    public func setActive(_ isActive: Bool) {
        change { $0.isActive = isActive }
    }

    public func setPowerSaving(_ savesPower: Bool) {
        change { $0.savesPower = savesPower }
    }

    /// Whether the user lets the app show notifications; pushes are accepted and discarded when not.
    public func setNotificationsEnabled(_ isEnabled: Bool, bundleID: String) {
        change { $0.apps[bundleID]?.isEnabled = isEnabled }
    }

    /// Whether the user ended the app by force: background pushes are dropped until it is started again.
    public func setForceQuit(_ isForceQuit: Bool, bundleID: String) {
        change { $0.apps[bundleID]?.isForceQuit = isForceQuit }
    }

    private func change(_ change: (inout DeviceState) -> Void) {
        let now = service.clock.now()
        service.withState { $0.devices.change(device: id, now: now, change) }
    }

    // MARK: Deliveries

    /// The deliveries after a place, first those remembered, then each as it comes, in order.
    ///
    /// - Parameter sequence: `DeliveredPush.sequence` of the last one already seen; 0 for all.
    public func pushes(after sequence: Int = 0) -> AsyncStream<DeliveredPush> {
        let (stream, continuation) = AsyncStream.makeStream(of: DeliveredPush.self)
        let number = service.withState { state in
            state.listen(toDevice: id, after: sequence, continuation)
        }
        continuation.onTermination = { [service, id] _ in
            service.withState { state in
                _ = state.listeners[id]?.removeValue(forKey: number)
            }
        }
        return stream
    }

    /// The remembered deliveries after a place.
    public func deliveries(after sequence: Int = 0) -> [DeliveredPush] {
        service.withState { state in
            state.devices.devices[id]?.deliveries.filter { $0.sequence > sequence } ?? []
        }
    }
}
