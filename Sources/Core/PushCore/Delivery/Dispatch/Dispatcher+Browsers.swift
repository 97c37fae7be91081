import PushModel
import Timekeeping

extension Dispatcher {
    /// Tries a delivery to a browser of another push service; it counts as active.
    func start(_ attempt: DeliveryAttempt, to address: BrowserAddress, through browsers: any BrowserGateway) {
        var attempt = attempt
        do throws(SendError) {
            let push = try browserPush(for: attempt)
            attempt.browserPush = push
            guard clock.now() < push.expiresAt else { return finish(attempt, .expired) }
            let waiting = attempt
            browsers.send(push, to: address, from: attempt.delivery.recipient.project) { [self] answer in
                for observer in observers { observer.answered(waiting.delivery, answer) }
                take(answer, to: waiting, at: address)
            }
        } catch {
            finish(attempt, .failed(error))
        }
    }

    private func browserPush(for attempt: DeliveryAttempt) throws(SendError) -> BrowserPush {
        if let push = attempt.browserPush { return push }
        return try browserTranslator.push(attempt.delivery.message)
    }

    private func take(_ answer: GatewayAnswer, to attempt: DeliveryAttempt, at address: BrowserAddress) {
        switch answer {
        case .accepted(let providerID): finish(attempt, .accepted(providerID: providerID))
        case .rejected(let error): finish(attempt, .failed(error))
        case .retry(let milliseconds, let error): delay(attempt, atLeast: milliseconds, error)
        case .unregistered(let error, _): retire(attempt, at: address, error)
        }
    }

    /// Ends the registration, unless the browser has subscribed anew meanwhile: then the push goes on to there.
    private func retire(_ attempt: DeliveryAttempt, at address: BrowserAddress, _ error: SendError) {
        // Owned by the delivery, which stays active until the store has answered.
        Task {
            let recipient = attempt.delivery.recipient.id
            if let now = try? registrations.registration(recipient), now.ending == nil,
                let current = BrowserAddress(now.channel), current != address
            {
                return delay(attempt, atLeast: 0, SendError(.unavailable, "The browser has subscribed anew."))
            }
            try? await registrations.end(recipient, .unregisteredByPushService, at: clock.now())
            finish(attempt, .failed(error))
        }
    }
}
