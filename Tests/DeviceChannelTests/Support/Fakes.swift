import PushCore
import PushModel
import Synchronization

/// Takes what devices that left did not acknowledge.
final class RecordedGateway: DeliverySubmission {
    private let list = Mutex<[QueuedDelivery]>([])

    var submitted: [QueuedDelivery] { list.withLock { $0 } }

    func submit(_ deliveries: [QueuedDelivery], firstOutcome observer: FirstOutcomeObserver?) {
        list.withLock { $0 += deliveries }
    }

    func hasRoomForFanOut(of project: ProjectNumber) -> Bool { true }
}

struct NoFanOuts: FanOutSubmission {
    func submit(_ message: ValidatedMessage) async throws(StoreError) {}
}

/// Never does later things.
struct NoDelays: DelayScheduler {
    func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void) {}
}

/// How deliveries ended.
final class Journal: DeliveryObserver {
    private let list = Mutex<[FinishedDelivery]>([])

    var ended: [FinishedDelivery] { list.withLock { $0 } }

    func outcomes(of message: MessageID?) -> [DeliveryOutcome] {
        ended.filter { $0.message == message }.map(\.outcome)
    }

    func accepted(_ message: ValidatedMessage, recipients: [Registration]) {}
    func translated(_ delivery: QueuedDelivery, into push: ApplePush) {}
    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {}
    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) {}

    func ended(_ delivery: FinishedDelivery) {
        list.withLock { $0.append(delivery) }
    }
}

/// The app servers' side of upstream messages: answers as a test says, when it says so.
final class UpstreamScript: Sendable {
    private struct State {
        var taken: [IncomingUpstream] = []
        var answers: [String: UpstreamAnswer] = [:]
        var isHeld = false
        var isDown = false
        var failing: Set<String> = []
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var taken: [IncomingUpstream] { state.withLock(\.taken) }

    func answer(_ messageID: String, with answer: UpstreamAnswer) {
        state.withLock { $0.answers[messageID] = answer }
    }

    /// The store does not take this message.
    func fail(_ messageID: String) {
        state.withLock { _ = $0.failing.insert(messageID) }
    }

    func breakDown() {
        state.withLock { $0.isDown = true }
    }

    /// Answers nothing until `release`.
    func hold() {
        state.withLock { $0.isHeld = true }
    }

    func release() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func accept(_ message: IncomingUpstream, from device: UInt64) async throws(StoreError) -> UpstreamAnswer {
        if state.withLock({ $0.isDown || $0.failing.contains(message.messageID) }) { throw .unavailable("down") }
        state.withLock { $0.taken.append(message) }
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.isHeld { state.held.append(continuation) }
                return state.isHeld
            }
            if !isHeld { continuation.resume() }
        }
        return state.withLock { $0.answers[message.messageID] } ?? .accepted
    }
}
