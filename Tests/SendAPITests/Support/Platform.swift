import PushCore
import PushModel
import Synchronization

/// Gives every delivery the same outcome at once, or none.
final class ScriptedPlatform: DeliverySubmission {
    private let outcome: DeliveryOutcome?
    private let list = Mutex<[QueuedDelivery]>([])

    var submitted: [QueuedDelivery] { list.withLock { $0 } }

    init(outcome: DeliveryOutcome?) {
        self.outcome = outcome
    }

    func hasRoomForFanOut(of project: ProjectNumber) -> Bool { true }

    func submit(_ deliveries: [QueuedDelivery], firstOutcome observer: FirstOutcomeObserver?) {
        list.withLock { $0 += deliveries }
        guard let outcome else { return }
        for delivery in deliveries { _ = observer?(delivery, .finished(outcome)) }
    }
}

/// Does later things at once.
struct ImmediateDelays: DelayScheduler {
    func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void) {
        action()
    }
}

struct SilentObserver: DeliveryObserver {
    func accepted(_ message: ValidatedMessage, recipients: [Registration]) {}
    func translated(_ delivery: QueuedDelivery, into push: ApplePush) {}
    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {}
    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) {}
}

/// Failures, used up in order.
final class ListedFaults: SendFaults {
    private let list = Mutex<[ScriptedSendFault]>([])

    func add(_ fault: ScriptedSendFault) {
        list.withLock { $0.append(fault) }
    }

    func nextFault(for target: SendTarget, recipients: [Registration]) -> ScriptedSendFault? {
        list.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
