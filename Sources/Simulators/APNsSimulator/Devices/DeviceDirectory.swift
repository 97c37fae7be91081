import Bytes
import Timekeeping

/// All devices, their apps and tokens, and what waits for them. Knows no socket and no clock.
struct DeviceDirectory {
    var rules = StorageRules()
    var devices: [String: DeviceState] = [:]
    private(set) var tokens: [String: TokenRegistration] = [:]
    private var allowances: [String: TokenAllowance] = [:]
    /// Deliveries that nobody was told of yet.
    var undispatched: [DeliveredPush] = []
    var acceptedCount = 0
    var chance: SeededGenerator

    init(rules: StorageRules = StorageRules()) {
        self.rules = rules
        chance = SeededGenerator(seed: rules.seed)
    }

    // MARK: Devices and apps

    /// Makes the device unless it is there.
    mutating func addDevice(id: String, isOnline: Bool = true) {
        guard devices[id] == nil else { return }
        devices[id] = DeviceState(id: id, isOnline: isOnline)
    }

    mutating func removeDevice(id: String) {
        guard let device = devices.removeValue(forKey: id) else { return }
        for app in device.apps.values {
            for token in app.tokens.values { tokens[token] = nil }
        }
    }

    /// The token of an app or of one of its parts; a new one when there is none, or when asked to.
    ///
    /// - Parameters:
    ///   - suffix: `PushType.topicSuffix` of the part.
    ///   - token: Lower-case hexadecimal that the caller chose.
    ///   - renewing: Makes a new token also when the old one lives; the old one dies.
    mutating func register(
        bundleID: String, suffix: String = "", environment: SimulatedEnvironment, onDevice deviceID: String,
        token chosen: String? = nil, renewing: Bool = false, now: Timestamp
    ) -> String {
        addDevice(id: deviceID)
        let topic = bundleID + suffix
        let old = devices[deviceID]?.apps[bundleID]?.tokens[topic]
        let token = chosen ?? (renewing ? nil : old) ?? newToken()
        if let old, old != token { end(token: old, reason: .unregistered, at: now) }
        if let previous = tokens[token], previous.deviceID != deviceID || previous.topic != topic {
            devices[previous.deviceID]?.apps[previous.bundleID]?.tokens[previous.topic] = nil
        }
        tokens[token] = TokenRegistration(
            token: token, deviceID: deviceID, bundleID: bundleID, topic: topic, environment: environment,
            registeredAt: now)
        devices[deviceID]?.apps[bundleID, default: AppState(bundleID: bundleID)].tokens[topic] = token
        return token
    }

    /// Removes an app: its tokens die, what was stored for it is gone.
    mutating func uninstall(bundleID: String, fromDevice deviceID: String, now: Timestamp) {
        guard let app = devices[deviceID]?.apps[bundleID] else { return }
        for token in app.tokens.values { end(token: token, reason: .unregistered, at: now) }
        devices[deviceID]?.apps[bundleID]?.slot = nil
        devices[deviceID]?.apps[bundleID]?.held = nil
    }

    /// Ends a token; answers give the time. An uninstalled one shows only after the rules' delay.
    mutating func end(token: String, reason: RejectionReason, at now: Timestamp) {
        let delay = reason == .unregistered ? rules.unregisteredDelayMilliseconds : 0
        tokens[token]?.end = TokenRegistration.End(
            reason: reason, since: now, visibleFrom: now.adding(milliseconds: delay))
    }

    mutating func change(device id: String, now: Timestamp, _ change: (inout DeviceState) -> Void) {
        guard devices[id] != nil else { return }
        change(&devices[id, default: DeviceState(id: id)])
        deliverWaiting(toDevice: id, now: now)
    }

    private func newToken() -> String {
        var random = SystemRandomNumberGenerator()
        return Hex.encode((0..<max(1, rules.tokenBytes)).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
}

extension DeviceDirectory: DeviceTokenLookup {
    func registration(ofToken token: String) -> TokenRegistration? {
        tokens[token]
    }

    mutating func spendAllowance(ofToken token: String, now: Timestamp) -> Bool {
        guard let allowance = rules.allowance else { return true }
        return allowances[token, default: TokenAllowance(allowance, now: now)].spend(allowance, now: now)
    }
}

/// A token bucket.
private struct TokenAllowance {
    private var left: Double
    private var updatedAt: Timestamp

    init(_ allowance: StorageRules.Allowance, now: Timestamp) {
        left = Double(allowance.burst)
        updatedAt = now
    }

    mutating func spend(_ allowance: StorageRules.Allowance, now: Timestamp) -> Bool {
        let elapsed = Double(max(0, now.milliseconds.subtractingReportingOverflow(updatedAt.milliseconds).partialValue))
        left = min(Double(allowance.burst), left + elapsed / 1000 * allowance.perSecond)
        updatedAt = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
