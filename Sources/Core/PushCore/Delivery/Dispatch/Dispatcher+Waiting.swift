import PushModel
import Synchronization
import Timekeeping

extension Dispatcher {
    /// Tells the sender that the first try did not succeed.
    ///
    /// - Returns: The delivery to go on with; `nil` when the sender gave it up and it is finished.
    private func announceWaiting(_ attempt: DeliveryAttempt, _ error: SendError?) -> DeliveryAttempt? {
        guard let observer = attempt.observer else { return attempt }
        var attempt = attempt
        attempt.observer = nil
        guard observer(attempt.delivery, .waiting(error)) == .giveUp, let error else { return attempt }
        finish(attempt, .failed(error))
        return nil
    }

    // MARK: Later tries

    /// Tries again after a pause.
    func delay(_ attempt: DeliveryAttempt, atLeast milliseconds: Int64, _ error: SendError) {
        guard var attempt = announceWaiting(attempt, error) else { return }
        let wasProbe = attempt.isProbe
        attempt.failures += 1
        attempt.isProbe = false
        let pause = max(milliseconds, configuration.backOff.delayMilliseconds(afterFailures: attempt.failures))
        let id = attempt.delivery.id
        let waiting = attempt
        state.withLock { state in
            state.delayed[id] = waiting
            state.active -= 1
        }
        attempt.isProbe = wasProbe
        settled(attempt)
        scheduler.after(milliseconds: min(pause, millisecondsLeft(for: attempt))) { [self] in
            let due = state.withLock { $0.takeDelayed(id) }
            if let due { startAgain(due) }
        }
    }

    /// Until the delivery expires; a moment more, so that it has expired then.
    private func millisecondsLeft(for attempt: DeliveryAttempt) -> Int64 {
        guard let expiresAt = attempt.expiresAt else { return .max }
        let (left, overflow) = expiresAt.milliseconds.subtractingReportingOverflow(clock.now().milliseconds)
        return overflow ? .max : max(0, left) &+ 1
    }

    /// Finishes what has expired while it waited, after the clock was moved.
    func dropExpired() {
        let now = clock.now()
        let expired = state.withLock { $0.takeExpired(at: now) }
        for attempt in expired { finish(attempt, .expired) }
        sweepIfRoom()
    }

    // MARK: Busy devices

    /// Keeps a delivery back while its device has too many.
    ///
    /// - Returns: The delivery, when it may go.
    func holdBack(_ attempt: DeliveryAttempt) -> DeliveryAttempt? {
        let device = attempt.delivery.recipient.id
        guard !attempt.isProbe, state.withLock({ $0.held[device] != nil }) else { return attempt }
        let busy = SendError(
            .deviceQuotaExceeded, "The device receives too many messages.", retryAfterSeconds: 60)
        guard let waiting = announceWaiting(attempt, busy) else { return nil }
        let isHeld = state.withLock { state in
            guard state.held[device] != nil else { return false }
            state.held[device]?.waiting.append(waiting)
            state.active -= 1
            return true
        }
        guard isHeld else { return waiting }
        settled(waiting)
        return nil
    }

    /// After "too many requests": all deliveries of the device wait, then one of them goes ahead of the others.
    func holdDevice(of attempt: DeliveryAttempt, atLeast milliseconds: Int64, _ error: SendError) {
        guard var attempt = announceWaiting(attempt, error) else { return }
        let device = attempt.delivery.recipient.id
        attempt.failures += 1
        attempt.isProbe = false
        let waiting = attempt
        let failures = state.withLock { state -> Int? in
            state.active -= 1
            return state.hold(waiting, device)
        }
        settled(waiting)
        guard let failures else { return }
        let pause = max(milliseconds, configuration.backOff.delayMilliseconds(afterFailures: failures))
        scheduler.after(milliseconds: pause) { [self] in probe(device) }
    }

    private func probe(_ device: RegistrationID) {
        let probe = state.withLock { $0.takeProbe(device) }
        if let probe { startAgain(probe) } else { releaseDevice(device) }
    }

    /// The device takes messages again, or nothing is known against it any more.
    func releaseDevice(_ device: RegistrationID) {
        let waiting = state.withLock { $0.release(device) }
        for attempt in waiting { startAgain(attempt) }
    }

    // MARK: Waiting in the store

    /// Leaves a delivery in the store until its app has an APNs token.
    func park(_ attempt: DeliveryAttempt, until expiry: Timestamp) {
        guard let attempt = announceWaiting(attempt, nil) else { return }
        let isFirst = state.withLock { state in
            state.parked[attempt.delivery.recipient.id, default: []].append(
                .init(id: attempt.delivery.id, expiresAt: expiry))
            defer { state.isParkedCheckScheduled = true }
            return !state.isParkedCheckScheduled
        }
        leave(attempt)
        if isFirst { scheduleParkedCheck() }
        unparkIfChanged(attempt.delivery.recipient)
    }

    /// The app may have given its token between the reading of its registration and now.
    private func unparkIfChanged(_ recipient: Registration) {
        guard let now = try? registrations.registration(recipient.id), now.channel != recipient.channel else { return }
        registrationChanged(recipient.id)
    }

    private func scheduleParkedCheck() {
        scheduler.after(milliseconds: configuration.parkedCheckMilliseconds) { [weak self] in
            guard let self else { return }
            dropExpired()
            let goesOn = state.withLock { state in
                state.isParkedCheckScheduled = !state.parked.isEmpty && !state.isStopping
                return state.isParkedCheckScheduled
            }
            if goesOn { scheduleParkedCheck() }
        }
    }
}

extension DispatcherState {
    /// Takes a delayed delivery whose pause is over, unless somebody else took it.
    mutating func takeDelayed(_ id: DeliveryID) -> DeliveryAttempt? {
        guard !isStopping, let attempt = delayed.removeValue(forKey: id) else { return nil }
        active += 1
        return attempt
    }

    /// - Returns: How often the device refused, when its next probe is to be scheduled.
    mutating func hold(_ attempt: DeliveryAttempt, _ device: RegistrationID) -> Int? {
        var hold = held[device] ?? DeviceHold()
        hold.waiting.insert(attempt, at: 0)
        defer { held[device] = hold }
        guard !hold.isScheduled else { return nil }
        hold.isScheduled = true
        hold.failures += 1
        return hold.failures
    }

    mutating func takeProbe(_ device: RegistrationID) -> DeliveryAttempt? {
        guard !isStopping, var hold = held[device], !hold.waiting.isEmpty else { return nil }
        var probe = hold.waiting.removeFirst()
        hold.isScheduled = false
        held[device] = hold
        probe.isProbe = true
        active += 1
        return probe
    }

    mutating func release(_ device: RegistrationID) -> [DeliveryAttempt] {
        guard !isStopping, let hold = held.removeValue(forKey: device) else { return [] }
        active += hold.waiting.count
        return hold.waiting
    }
}
