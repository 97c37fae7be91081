import Timekeeping

extension DeviceDirectory {
    /// Takes a push that passed the judge.
    mutating func accept(_ push: JudgedPush, now: Timestamp) -> PushFate {
        acceptedCount += 1
        guard let registration = tokens[push.token] else { return .discarded(.unknownToken) }
        let item = WaitingPush(
            push: push, acceptSequence: acceptedCount, acceptedAt: now, expiresAt: expiry(of: push, now: now))
        switch route(push, registration, now: now) {
        case .discard(let reason): return .discarded(reason)
        case .store: return store(item, registration, now: now)
        case .hold: return hold(item, registration)
        case .deliver: return .delivered(sequence: deliver(item, registration, now: now))
        }
    }

    /// Delivers what waits and has become deliverable, oldest first, and drops what has expired.
    mutating func deliverWaiting(toDevice id: String, now: Timestamp) {
        for item in devices[id]?.waiting ?? [] {
            guard let registration = tokens[item.push.token] else { continue }
            let route = item.expiresAt <= now ? .discard(.expired) : route(item.push, registration, now: now)
            if case .discard = route { devices[id]?.remove(item, fromApp: registration.bundleID) }
            guard case .deliver = route else { continue }
            devices[id]?.remove(item, fromApp: registration.bundleID)
            deliver(item, registration, now: now)
        }
    }

    /// Lets time pass for every device.
    mutating func deliverAllWaiting(now: Timestamp) {
        for id in devices.keys.sorted() { deliverWaiting(toDevice: id, now: now) }
    }

    // MARK: Rules

    private enum Route {
        case deliver, store, hold
        case discard(DiscardReason)
    }

    private func route(_ push: JudgedPush, _ registration: TokenRegistration, now: Timestamp) -> Route {
        guard registration.end == nil else { return .discard(.unregistered) }
        guard let device = devices[registration.deviceID], let app = device.apps[registration.bundleID] else {
            return .discard(.unknownToken)
        }
        guard app.isEnabled else { return .discard(.disabled) }
        if app.isForceQuit && push.type == .background { return .discard(.forceQuit) }
        guard canReach(device, push) else { return .store }
        return hasBudget(app, push, now: now) ? .deliver : .hold
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

    private func expiry(of push: JudgedPush, now: Timestamp) -> Timestamp {
        let limit = now.adding(seconds: rules.maximumStorageSeconds)
        return switch push.expiration {
        case .never: now
        case .unspecified: limit
        case .until(let seconds): min(limit, Timestamp(milliseconds: 0).adding(seconds: seconds))
        }
    }

    // MARK: Actions

    private mutating func store(
        _ item: WaitingPush, _ registration: TokenRegistration, now: Timestamp
    ) -> PushFate {
        if item.push.expiration == .never { return .discarded(.notStored) }
        guard item.expiresAt > now else { return .discarded(.expired) }
        let slot = devices[registration.deviceID]?.apps[registration.bundleID]?.slot
        let old = slot.flatMap { $0.expiresAt > now ? $0 : nil }
        if old != nil, rules.slotPolicy == .random, Bool.random(using: &chance) { return .discarded(.overwritten) }
        devices[registration.deviceID]?.apps[registration.bundleID]?.slot = item
        return .stored(overwritten: old?.push.id)
    }

    private mutating func hold(_ item: WaitingPush, _ registration: TokenRegistration) -> PushFate {
        if item.push.expiration == .never { return .discarded(.notStored) }
        devices[registration.deviceID]?.apps[registration.bundleID]?.held = item
        return .held
    }

    @discardableResult
    private mutating func deliver(
        _ item: WaitingPush, _ registration: TokenRegistration, now: Timestamp
    ) -> Int {
        let delivery = devices[registration.deviceID]?.deliver(
            item, toApp: registration.bundleID, keeping: max(1, rules.deliveriesKept), now: now)
        guard let delivery else { return 0 }
        undispatched.append(delivery)
        return delivery.sequence
    }
}
