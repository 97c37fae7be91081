public import PushCore
public import PushModel
import Synchronization
public import Timekeeping

/// Hands answers that asked for another try to the store, some at a time: there are few of them, except when a platform is
/// in trouble, and then not all are worth keeping.
public final class AttemptRecorder: DeliveryObserver {
    private static let pauseMilliseconds: Int64 = 50
    private static let maximumWaiting = 2_000

    private let store: any InspectionStore
    private let clock: any WallClock
    private let delays: any DelayScheduler
    private let waiting = Mutex<[DeliveryTry]>([])

    public init(store: any InspectionStore, clock: any WallClock, delays: any DelayScheduler) {
        self.store = store
        self.clock = clock
        self.delays = delays
    }

    public func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {
        guard let error = answer.errorBeforeAnotherTry else { return }
        let attempt = DeliveryTry(
            delivery: delivery.id, project: delivery.message.project.number, time: clock.now(),
            status: error.apns?.status ?? 0,
            reason: error.apns.flatMap { $0.reason.isEmpty ? nil : $0.reason } ?? error.message)
        let isFirst = waiting.withLock { waiting in
            guard waiting.count < Self.maximumWaiting else { return false }
            waiting.append(attempt)
            return waiting.count == 1
        }
        guard isFirst else { return }
        delays.after(milliseconds: Self.pauseMilliseconds) { [self] in flush() }
    }

    /// Hands over what waits.
    public func flush() {
        let tries = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        if !tries.isEmpty { store.keep(tries) }
    }

    public func accepted(_ message: ValidatedMessage, recipients: [Registration]) {}
    public func translated(_ delivery: QueuedDelivery, into push: ApplePush) {}
    public func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) {}
}

extension GatewayAnswer {
    /// The error of an answer after which the delivery goes on, or may.
    fileprivate var errorBeforeAnotherTry: SendError? {
        switch self {
        case .accepted: nil
        case .retry(_, let error): error
        // The other environment is tried then.
        case .rejected(let error): error.apns?.reason == "BadDeviceToken" ? error : nil
        case .unregistered: nil
        }
    }
}
