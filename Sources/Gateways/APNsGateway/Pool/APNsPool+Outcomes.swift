import EventLoop
import PushCore
import PushModel
import Synchronization
import Telemetry
import Transport

extension APNsPool {
    func answered(
        _ request: PushRequest, _ answer: APNsAnswer, _ rules: APNsAnswerRules, token used: ProviderToken.Snapshot?
    ) {
        measures.answered(answer, after: now.since(request.submittedAt))
        if rules.isProductive { backOff.wasProductive() }
        if rules.isProductive { breaker.accepted() }
        if rules.isRefusalOfCredential { breaker.refused(answer, at: now) }
        if rules.renewsToken, let used { refuse(used) }
        guard rules.resends else { return request.complete(GatewayAnswer(answer, pushID: request.pushID)) }
        request.resends += 1
        putBack(request)
    }

    private func refuse(_ used: ProviderToken.Snapshot) {
        measures.tokensRefused.increment()
        token?.refused(generation: used.generation, at: now)
    }

    /// The service did not process the request.
    func sendAgain(_ request: PushRequest) {
        measures.refusedStreams.increment()
        request.resends += 1
        guard request.resends <= 5 else {
            return request.complete(.tryLater("APNs refuses streams.", milliseconds: 1_000))
        }
        putBack(request)
    }

    /// The service may have processed the request: it is repeated once, under the same `apns-id`.
    func outcomeUnknown(_ request: PushRequest) {
        measures.unknownOutcomes.increment()
        request.unknownOutcomes += 1
        guard request.unknownOutcomes <= 1 else {
            return request.complete(.tryLater("APNs did not answer.", milliseconds: 0))
        }
        putBack(request)
    }

    private func putBack(_ request: PushRequest) {
        guard !isEnding else {
            return request.complete(.tryLater("The gateway is shutting down.", milliseconds: 0))
        }
        inbox.withLock { $0.queued += 1 }
        measures.queued.add(1)
        request.waitingSince = now
        queue.putBack(request)
        schedulePump()
    }

    func note(_ reason: CloseReason) {
        switch reason {
        case .cannotConnect(let detail), .tlsFailed(let detail): lastFailure = detail
        case .timedOut: lastFailure = "timed out"
        case .loopStopped:
            isEnding = true
            sendBackQueue("The gateway has ended.")
        default: lastFailure = "the connection was lost"
        }
    }

    func note(goAway reason: String, code: UInt32) {
        measures.goneAway(reason: reason)
        logger.info(
            "APNs ends a connection",
            ["host": .string(endpoint.host), "reason": .string(reason), "code": .integer(Int64(code))])
    }
}
