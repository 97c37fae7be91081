public import PushCore
public import PushModel
import Synchronization
public import Timekeeping

/// What happens to messages as it happens, for those who watch: the newest events are kept so that somebody who lost
/// their connection goes on where they were. Costs nothing while nobody watches.
public final class LiveTail: DeliveryObserver {
    public enum Kind: String, Sendable {
        case accepted, retried, delivered, failed, reported
    }

    public struct Event: Sendable, Equatable {
        /// Grows by one from event to event.
        public var id: UInt64
        public var time: Timestamp
        public var kind: Kind
        public var project: ProjectNumber
        public var message: String
        public var registration: RegistrationID?
        public var text: String
    }

    private struct State {
        var events: [Event] = []
        var next: UInt64 = 1
        var watchers: [Int: @Sendable () -> Void] = [:]
        var nextWatcher = 0
        var watchedUntil = Timestamp(milliseconds: .min)
        var isClosed = false
    }

    /// Events that are kept.
    public static let capacity = 2_000
    static let maximumWatchers = 32
    /// How long events are kept after the last watcher left. Unit: seconds.
    private static let patienceSeconds: Int64 = 300

    private let clock: any WallClock
    private let state = Mutex(State())
    private let isWatched = Atomic(false)

    public init(clock: any WallClock) {
        self.clock = clock
    }

    // MARK: Watching

    /// Calls `wake` after each event until the returned number is given to `leave`.
    /// - Returns: `nil` when too many watch.
    public func watch(_ wake: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard state.watchers.count < Self.maximumWatchers, !state.isClosed else { return nil }
            isWatched.store(true, ordering: .relaxed)
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = wake
            return state.nextWatcher
        }
    }

    public func leave(_ watcher: Int) {
        let until = clock.now().adding(seconds: Self.patienceSeconds)
        state.withLock { state in
            state.watchers[watcher] = nil
            state.watchedUntil = until
        }
    }

    /// The number of the newest event.
    public var newest: UInt64 { state.withLock { $0.next - 1 } }

    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The next events of a project after a number. Those who are too slow miss some.
    /// - Returns: The events, and the number up to which was looked.
    public func events(
        of project: ProjectNumber, after id: UInt64, limit: Int
    ) -> (events: [Event], through: UInt64) {
        state.withLock { state in
            let missing = state.next - 1 - min(id, state.next - 1)
            let fresh = state.events.suffix(Int(clamping: missing))
            let found = fresh.lazy.filter { $0.project == project }.prefix(limit)
            let events = Array(found)
            return (events, events.count == limit ? events.last?.id ?? id : state.next - 1)
        }
    }

    /// Ends the watching: the service stops.
    public func close() {
        let watchers = state.withLock { state in
            state.isClosed = true
            return Array(state.watchers.values)
        }
        for wake in watchers { wake() }
    }

    // MARK: What happens

    private func note(
        _ kind: Kind, _ project: ProjectNumber, _ message: String, _ registration: RegistrationID?, _ text: String
    ) {
        let now = clock.now()
        let watchers = state.withLock { state -> [@Sendable () -> Void] in
            guard !state.watchers.isEmpty || now < state.watchedUntil else {
                isWatched.store(false, ordering: .relaxed)
                state.events = []
                return []
            }
            if state.events.count >= 2 * Self.capacity { state.events.removeFirst(Self.capacity) }
            state.events.append(
                Event(
                    id: state.next, time: now, kind: kind, project: project, message: message,
                    registration: registration, text: text))
            state.next += 1
            return Array(state.watchers.values)
        }
        for wake in watchers { wake() }
    }

    private var watched: Bool { isWatched.load(ordering: .relaxed) }

    public func accepted(_ message: ValidatedMessage, recipients: [Registration]) {
        guard watched else { return }
        let title = message.message.notification?.title ?? ""
        note(.accepted, message.project.number, message.id.description, recipients.first?.id, title)
    }

    public func translated(_ delivery: QueuedDelivery, into push: ApplePush) {}

    public func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {
        guard watched, case .retry(_, let error) = answer else { return }
        note(
            .retried, delivery.message.project.number, delivery.message.id.description, delivery.recipient.id,
            error.apns?.reason ?? error.message)
    }

    public func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) {
        guard watched else { return }
        end(delivery.message.project.number, delivery.message.id, delivery.recipient.id, outcome)
    }

    public func ended(_ delivery: FinishedDelivery) {
        guard watched else { return }
        end(delivery.project, delivery.message, delivery.registration, delivery.outcome)
    }

    private func end(
        _ project: ProjectNumber, _ message: MessageID, _ registration: RegistrationID, _ outcome: DeliveryOutcome
    ) {
        switch outcome {
        case .accepted(let id): note(.delivered, project, message.description, registration, id)
        case .failed(let error):
            note(.failed, project, message.description, registration, error.apns?.reason ?? error.message)
        case .expired: note(.failed, project, message.description, registration, FailureReason.expired.rawValue)
        case .superseded: note(.failed, project, message.description, registration, FailureReason.superseded.rawValue)
        case .discarded: note(.failed, project, message.description, registration, FailureReason.discarded.rawValue)
        }
    }

    public func reported(_ event: ReportedEvent) {
        guard watched else { return }
        note(.reported, event.project, event.messageID, nil, event.kind.name)
    }
}
