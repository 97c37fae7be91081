import JSON
import PushCore
import PushModel
import Synchronization

/// The emulator's memory of messages: what was asked, how it was translated, what APNs said, what the device saw. The
/// newest `capacity` messages are kept.
final class DeliveryJournal: DeliveryObserver {
    /// Which messages a caller asks for. `nil` matches all.
    struct Query: Sendable {
        /// A FID, a token or a topic.
        var target: String?
        /// The registration whose token the target is.
        var registration: RegistrationTokenContent?
        var messageID: MessageID?
    }

    private struct State {
        var entries: [MessageID: JournalEntry] = [:]
        var order: [MessageID] = []
        /// What devices told of messages that the journal has not seen accepted yet.
        var playedDevices: Set<String> = []
        var waiters: [Int: @Sendable () -> Void] = [:]
        var nextWaiter = 0
    }

    /// Messages of apps, and receipts.
    let upstreams: UpstreamJournal
    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int = 10_000) {
        self.capacity = capacity
        upstreams = UpstreamJournal(capacity: capacity)
    }

    // MARK: What happens

    func accepted(_ message: ValidatedMessage, recipients: [Registration]) {
        change { state in
            state.entries[message.id] = JournalEntry(message: message, recipients: recipients)
            state.order.append(message.id)
            if state.order.count > capacity {
                state.entries[state.order.removeFirst()] = nil
            }
        }
    }

    func fanOut(_ message: ValidatedMessage, reaches recipients: [Registration], isLast: Bool) {
        change { $0.entries[message.id]?.reaches(recipients, isLast: isLast) }
    }

    func translated(_ delivery: QueuedDelivery, into push: ApplePush) {
        update(delivery) { $0.push = push }
    }

    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {
        update(delivery) { $0.answers.append(answer) }
    }

    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) {
        update(delivery) { $0.outcome = outcome }
    }

    func ended(_ delivery: FinishedDelivery) {
        change { state in
            state.entries[delivery.message]?.update(delivery.registration) { $0.outcome = delivery.outcome }
        }
    }

    func upstream(_ message: UpstreamMessage) {
        upstreams.accepted(message)
        change { _ in }
    }

    func upstreamEnded(_ id: UpstreamID, isAcknowledged: Bool) {
        upstreams.ended(id, isAcknowledged: isAcknowledged)
        change { _ in }
    }

    func written(_ delivery: QueuedDelivery, as outgoing: OutgoingDelivery) {
        update(delivery) { $0.deviceMessage = outgoing.message }
    }

    func reported(_ event: ReportedEvent) {
        guard let id = MessageID(event.messageID) else { return }
        change { state in
            state.entries[id]?.update(fid: event.instanceID) { $0.reports.append(event) }
        }
    }

    /// A virtual iPhone tells what its app saw of a message.
    func deviceTold(fid: String, messageID: MessageID, event: JSONValue) {
        change { state in
            state.entries[messageID]?.update(fid: fid) { $0.deviceEvents.append(event) }
        }
    }

    /// From now on messages to this app instance are settled only when its device has told something.
    func plays(fid: String, _ isPlayed: Bool) {
        state.withLock { state in
            if isPlayed { state.playedDevices.insert(fid) } else { state.playedDevices.remove(fid) }
        }
    }

    func reset() {
        upstreams.reset()
        change { state in
            state.entries = [:]
            state.order = []
        }
    }

    private func update(_ delivery: QueuedDelivery, _ body: (inout JournalEntry.Recipient) -> Void) {
        change { state in
            state.entries[delivery.message.id]?.update(delivery.recipient.id, body)
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            return Array(state.waiters.values)
        }
        for wake in waiters { wake() }
    }

    // MARK: What is asked

    /// The matching messages, oldest first.
    func entries(_ query: Query) -> [JournalEntry] {
        let entries = state.withLock { state in
            if let id = query.messageID { return state.entries[id].map { [$0] } ?? [] }
            return state.order.compactMap { state.entries[$0] }
        }
        guard let target = query.target else { return entries }
        return entries.filter { entry in
            entry.names(target) || entry.recipients.contains { $0.registration.fid == target }
                || entry.recipients.contains { $0.registration.holds(query.registration) }
        }
    }

    /// Whether at least one message matches and all that match are settled.
    func isSettled(_ query: Query) -> Bool {
        let found = entries(query)
        let played = state.withLock(\.playedDevices)
        return !found.isEmpty && found.allSatisfy { $0.isSettled(playedDevices: played) }
    }

    /// Calls `wake` at each change until the returned number is given to `removeWaiter`.
    func addWaiter(_ wake: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = wake
            return state.nextWaiter
        }
    }

    func removeWaiter(_ number: Int) {
        state.withLock { _ = $0.waiters.removeValue(forKey: number) }
    }
}

extension Registration {
    /// Whether it is the registration of that token, and the token its current one.
    fileprivate func holds(_ token: RegistrationTokenContent?) -> Bool {
        token?.registration == id && token?.nonce == tokenNonce
    }
}

extension JournalEntry {
    /// Whether the sender named this target.
    fileprivate func names(_ text: String) -> Bool {
        switch message.target {
        case .token(let token): token == text
        case .fid(let fid): fid.text == text
        case .tokens(let tokens): tokens.contains(text)
        case .topic(let topic): topic.text == text || "/topics/" + topic.text == text
        case .condition(let condition): condition.description == text
        case .segment: false
        }
    }
}
