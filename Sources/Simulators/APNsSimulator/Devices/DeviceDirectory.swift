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
    private(set) var acceptedCount = 0
    var chance: SeededGenerator

    init(rules: StorageRules = StorageRules()) {
        self.rules = rules
        chance = SeededGenerator(seed: rules.seed)
    }

    // MARK: Devices and apps

    /// Makes the device unless it is there.
    mutating func addDevice(id: String, isOnline: Bool = true) {
        guard devices[id] == nil else { return }
        var device = DeviceState(id: id)
        device.isOnline = isOnline
        devices[id] = device
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
        guard var device = devices[id] else { return }
        change(&device)
        devices[id] = device
        deliverWaiting(toDevice: id, now: now)
    }

    private func newToken() -> String {
        var random = SystemRandomNumberGenerator()
        return Hex.encode((0..<max(1, rules.tokenBytes)).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    // MARK: Accepted pushes

    /// Takes a push that passed the judge.
    mutating func accept(_ push: JudgedPush, now: Timestamp) -> PushFate {
        acceptedCount += 1
        guard let registration = tokens[push.token], let device = devices[registration.deviceID],
            let app = device.apps[registration.bundleID]
        else { return .discarded(.unknownToken) }
        guard registration.end == nil else { return .discarded(.unregistered) }
        guard app.isEnabled else { return .discarded(.disabled) }
        if app.isForceQuit && push.type == .background { return .discarded(.forceQuit) }
        let waiting = WaitingPush(
            push: push, acceptSequence: acceptedCount, acceptedAt: now, expiresAt: expiry(of: push, now: now))
        guard canReach(device, push) else { return store(waiting, registration, now: now) }
        guard hasBudget(app, push, now: now) else {
            return hold(waiting, registration)
        }
        return .delivered(sequence: deliver(waiting, registration, now: now))
    }

    /// Delivers what waits and has become deliverable, oldest first, and drops what has expired.
    mutating func deliverWaiting(toDevice id: String, now: Timestamp) {
        guard let device = devices[id] else { return }
        let waiting = device.apps.values.flatMap { app in [app.slot, app.held].compactMap { $0 } }
        for item in waiting.sorted(by: { $0.acceptSequence < $1.acceptSequence }) {
            guard let registration = tokens[item.push.token], let app = devices[id]?.apps[registration.bundleID] else {
                continue
            }
            if item.expiresAt <= now || app.isForceQuit && item.push.type == .background {
                remove(item, registration)
            } else if canReach(device, item.push) && hasBudget(app, item.push, now: now) {
                remove(item, registration)
                deliver(item, registration, now: now)
            }
        }
    }

    /// Lets time pass for every device.
    mutating func deliverAllWaiting(now: Timestamp) {
        for id in devices.keys.sorted() { deliverWaiting(toDevice: id, now: now) }
    }

    private func expiry(of push: JudgedPush, now: Timestamp) -> Timestamp {
        let limit = now.adding(seconds: rules.maximumStorageSeconds)
        return switch push.expiration {
        case .never: now
        case .unspecified: limit
        case .until(let seconds): min(limit, Timestamp(milliseconds: 0).adding(seconds: seconds))
        }
    }

    private func canReach(_ device: DeviceState, _ push: JudgedPush) -> Bool {
        guard device.isOnline else { return false }
        if device.isActive { return true }
        return push.priority == 10 || push.priority == 5 && !rules.holdsNormalPriority && !device.savesPower
    }

    private func hasBudget(_ app: AppState, _ push: JudgedPush, now: Timestamp) -> Bool {
        guard push.type == .background, let budget = rules.backgroundPushesPerHour else { return true }
        return app.backgroundDeliveries.count { $0 > now.adding(seconds: -3600) } < budget
    }

    private mutating func store(
        _ waiting: WaitingPush, _ registration: TokenRegistration, now: Timestamp
    ) -> PushFate {
        if waiting.push.expiration == .never { return .discarded(.notStored) }
        guard waiting.expiresAt > now else { return .discarded(.expired) }
        let old = devices[registration.deviceID]?.apps[registration.bundleID]?.slot.flatMap {
            $0.expiresAt > now ? $0 : nil
        }
        if old != nil, rules.slotPolicy == .random, Bool.random(using: &chance) { return .discarded(.overwritten) }
        devices[registration.deviceID]?.apps[registration.bundleID]?.slot = waiting
        return .stored(overwritten: old?.push.id)
    }

    private mutating func hold(_ waiting: WaitingPush, _ registration: TokenRegistration) -> PushFate {
        if waiting.push.expiration == .never { return .discarded(.notStored) }
        devices[registration.deviceID]?.apps[registration.bundleID]?.held = waiting
        return .held
    }

    private mutating func remove(_ item: WaitingPush, _ registration: TokenRegistration) {
        guard var app = devices[registration.deviceID]?.apps[registration.bundleID] else { return }
        if app.slot?.acceptSequence == item.acceptSequence { app.slot = nil }
        if app.held?.acceptSequence == item.acceptSequence { app.held = nil }
        devices[registration.deviceID]?.apps[registration.bundleID] = app
    }

    @discardableResult
    private mutating func deliver(
        _ item: WaitingPush, _ registration: TokenRegistration, now: Timestamp
    ) -> Int {
        guard var device = devices[registration.deviceID], var app = device.apps[registration.bundleID] else { return 0 }
        device.deliveryCount += 1
        var delivery = DeliveredPush(
            sequence: device.deliveryCount, acceptSequence: item.acceptSequence, acceptedAt: item.acceptedAt,
            deliveredAt: now, deviceID: device.id, bundleID: app.bundleID, replaces: nil, push: item.push)
        if let id = item.push.collapseID { delivery.replaces = app.collapsed.updateValue(delivery.sequence, forKey: id) }
        if item.push.type == .background {
            app.backgroundDeliveries.removeAll { $0 <= now.adding(seconds: -3600) }
            if rules.backgroundPushesPerHour != nil { app.backgroundDeliveries.append(now) }
        }
        device.apps[registration.bundleID] = app
        device.deliveries.append(delivery)
        if device.deliveries.count > 2 * max(1, rules.deliveriesKept) {
            device.deliveries.removeFirst(device.deliveries.count - max(1, rules.deliveriesKept))
        }
        devices[registration.deviceID] = device
        undispatched.append(delivery)
        return delivery.sequence
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
