import PushModel
import Synchronization
import Timekeeping

extension Dispatcher {
    /// Tries a delivery that counts as active.
    func start(_ attempt: DeliveryAttempt) {
        var attempt = attempt
        let recipient = attempt.delivery.recipient
        guard recipient.ending == nil else { return finish(attempt, .failed(.ended)) }
        if let browsers, let address = BrowserAddress(recipient.channel) {
            return start(attempt, to: address, through: browsers)
        }
        do throws(SendError) {
            let template = try template(for: attempt)
            attempt.template = template
            guard clock.now() < template.expiresAt else { return finish(attempt, .expired) }
            guard case .apple(let known?) = recipient.channel else { return park(attempt, until: template.expiresAt) }
            let address = APNsAddress(token: known.token, environment: attempt.otherEnvironment ?? known.environment)
            guard credential(for: recipient, in: address.environment) != nil else { throw .noCredential }
            guard let attempt = holdBack(attempt) else { return }
            let pushID = pushIDs.id(of: attempt.delivery.message.id, to: recipient.id)
            let push = try template.push(to: recipient, at: address, pushID: pushID)
            send(push, for: attempt, registeredAs: known)
        } catch {
            finish(attempt, .failed(error))
        }
    }

    /// Tries a delivery again, with what the registry says now.
    func startAgain(_ attempt: DeliveryAttempt) {
        var attempt = attempt
        if let registration = try? registrations.registration(attempt.delivery.recipient.id) {
            if registration.channel != attempt.delivery.recipient.channel { attempt.otherEnvironment = nil }
            attempt.delivery.recipient = registration
        }
        start(attempt)
    }

    private func template(for attempt: DeliveryAttempt) throws(SendError) -> ApplePushTemplate {
        if let template = attempt.template { return template }
        return try translator.template(of: attempt.delivery.message)
    }

    func credential(for recipient: Registration, in environment: APNsEnvironment) -> APNsCredential? {
        directory.apnsCredentials(of: recipient.project).serving(environment, bundleID: recipient.bundleID)
    }

    private func send(_ push: ApplePush, for attempt: DeliveryAttempt, registeredAs address: APNsAddress) {
        let recipient = attempt.delivery.recipient
        if attempt.failures == 0 {
            for observer in observers { observer.translated(attempt.delivery, into: push) }
        }
        gateway.send(push, from: recipient.project, bundleID: recipient.bundleID) { [self] answer in
            for observer in observers { observer.answered(attempt.delivery, answer) }
            take(answer, to: attempt, registeredAs: address)
        }
    }

    /// Decides what an answer means for the delivery.
    private func take(_ answer: GatewayAnswer, to attempt: DeliveryAttempt, registeredAs address: APNsAddress) {
        switch answer {
        case .accepted(let providerID):
            rememberEnvironment(of: attempt)
            finish(attempt, .accepted(providerID: providerID))
        case .rejected(let error) where error.isBadDeviceToken && attempt.otherEnvironment == nil:
            tryOtherEnvironment(attempt, address.environment.other, after: error)
        case .rejected(let error):
            finish(attempt, .failed(error))
        case .retry(let milliseconds, let error) where error.kind == .deviceQuotaExceeded:
            holdDevice(of: attempt, atLeast: milliseconds, error)
        case .retry(let milliseconds, let error):
            delay(attempt, atLeast: milliseconds, error)
        case .unregistered(let error, let invalidAt):
            retire(attempt, at: address, invalidAt: invalidAt, error)
        }
    }

    // MARK: The other environment

    /// A token of the other environment is the commonest cause of `BadDeviceToken`: builds from Xcode use sandbox.
    private func tryOtherEnvironment(
        _ attempt: DeliveryAttempt, _ environment: APNsEnvironment, after error: SendError
    ) {
        guard credential(for: attempt.delivery.recipient, in: environment) != nil else {
            return finish(attempt, .failed(error))
        }
        var attempt = attempt
        attempt.otherEnvironment = environment
        start(attempt)
    }

    private func rememberEnvironment(of attempt: DeliveryAttempt) {
        guard let environment = attempt.otherEnvironment, !attempt.isForLiveActivity else { return }
        Task { try? await registrations.setEnvironment(environment, of: attempt.delivery.recipient.id) }
    }

    // MARK: Dead tokens

    /// Ends the registration, unless the app confirmed its token after APNs found it dead: then the push goes on.
    private func retire(
        _ attempt: DeliveryAttempt, at address: APNsAddress, invalidAt: Timestamp?, _ error: SendError
    ) {
        guard !attempt.isForLiveActivity else {
            let field = SendError.Violation(
                field: "message.apns.live_activity_token", description: "The live activity has ended.")
            return finish(
                attempt,
                .failed(SendError(.invalidArgument, field.description, violations: [field], apns: error.apns)))
        }
        // Owned by the delivery, which stays active until the store has answered.
        Task {
            let recipient = attempt.delivery.recipient.id
            let isEnded = try? await registrations.endUnregistered(
                recipient, address: address, invalidAt: invalidAt, at: clock.now())
            if isEnded == true { return finish(attempt, .failed(error)) }
            delay(attempt, atLeast: 0, SendError(.unavailable, "The app renewed its token.", apns: error.apns))
        }
    }

    // MARK: Ends

    func finish(_ attempt: DeliveryAttempt, _ outcome: DeliveryOutcome) {
        let delivery = attempt.delivery
        store.finish([
            FinishedDelivery(
                id: delivery.id, message: delivery.message.id, project: delivery.message.project.number,
                registration: delivery.recipient.id, outcome: outcome, time: clock.now(),
                dimensions: ReportDimensions(delivery.message.message, to: delivery.recipient))
        ])
        for observer in observers { observer.finished(delivery, outcome) }
        _ = attempt.observer?(delivery, .finished(outcome))
        leave(attempt)
    }

    /// Takes a delivery out of memory.
    func leave(_ attempt: DeliveryAttempt) {
        state.withLock { $0.leave(attempt.delivery.message.project.number) }
        settled(attempt)
        sweepIfRoom()
    }

    /// After a try came to its end: frees the device it probed, and those who wait for silence.
    func settled(_ attempt: DeliveryAttempt) {
        if attempt.isProbe { releaseDevice(attempt.delivery.recipient.id) }
        let waiters = state.withLock { state in
            guard state.isStopping, state.active == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.drainWaiters = [] }
            return state.drainWaiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
