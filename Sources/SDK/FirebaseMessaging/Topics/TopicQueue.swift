import FirebaseCore
import FirebaseInstallations
import FirebasePlatform
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs the pending topic operations, and keeps them across restarts until they are done.
///
/// An operation without an answer is tried again: after its pause, when the network comes back, when the registration
/// changes, when the app comes to the foreground, and at the next start. Any answer ends it.
final class TopicQueue: Sendable {
    private struct State {
        var pending: PendingTopics
        var running: [PendingTopics.Operation: Task<Void, Never>] = [:]
        var alarm: (time: Date, task: Task<Void, Never>)?
        var isClosed = false
    }

    private let app: FirebaseApp
    private let service: RegistrationService
    private let announcer: RegistrationAnnouncer
    private let client: TopicClient
    private let store: PendingTopicsStore
    private let state: Mutex<State>

    init(app: FirebaseApp, service: RegistrationService, announcer: RegistrationAnnouncer) {
        self.app = app
        self.service = service
        self.announcer = announcer
        client = TopicClient(app: app, service: service)
        store = PendingTopicsStore(defaults: app.platform.defaults)
        state = Mutex(State(pending: store.load()))
    }

    /// Whether anything is not done yet.
    var hasWork: Bool { state.withLock { !$0.pending.isEmpty } }

    /// - Parameter answer: Told once, when the operation is over. `nil` when nobody waits for that.
    func add(_ action: TopicAction, _ topic: TopicName, answer: TopicAnswer?) {
        let isClosed = state.withLock { state in
            guard !state.isClosed else { return true }
            state.pending.add(action, topic, answer: answer)
            store.save(state.pending)
            return false
        }
        if isClosed { answer?(MessagingError.topicOperationCancelled) }
        advance()
    }

    /// Tries everything again that waits for its next try.
    func tryAgain() {
        state.withLock { $0.pending.endPauses() }
        advance()
    }

    /// Cancels what runs. Who waits is told so; the operations themselves stay for the next start.
    func close() {
        let (tasks, answers) = state.withLock { state in
            state.isClosed = true
            defer { state.running = [:] }
            let alarm = state.alarm.take()
            return (Array(state.running.values) + [alarm?.task].compactMap { $0 }, state.pending.takeAnswers())
        }
        for task in tasks { task.cancel() }
        for answer in answers { answer(MessagingError.topicOperationCancelled) }
    }
}

// MARK: - Running

extension TopicQueue {
    private func advance() {
        guard state.withLock({ !$0.isClosed && !$0.pending.isEmpty }) else { return }
        let registrations = currentRegistrations()
        let now = app.platform.clock.now()
        state.withLock { state in
            guard !state.isClosed else { return }
            let operations = state.pending.takeRunnable(at: now) { registrations[$0] != nil }
            for operation in operations {
                guard let registration = registrations[operation.action] else { continue }
                state.running[operation] = app.platform.executors.start { [self] in
                    await run(operation, registration: registration)
                }
            }
            setAlarm(&state, now: now)
        }
    }

    /// The registration for each action; an action that is missing has to wait.
    ///
    /// Unsubscribing an installation id needs no registration: what does not exist has no subscriptions.
    private func currentRegistrations() -> [TopicAction: String] {
        let stored = (try? service.store.record(service.defaultKey)).flatMap { $0 }
        let known = announcer.current ?? stored.flatMap { $0.kind == service.kind ? $0.token : nil }
        switch service.kind {
        case .token:
            return known.map { [.subscribe: $0, .unsubscribe: $0] } ?? [:]
        case .installationID:
            guard case .success(let id) = service.installations.currentID() else { return [:] }
            return known == id ? [.subscribe: id, .unsubscribe: id] : [.unsubscribe: id]
        }
    }

    private func run(_ operation: PendingTopics.Operation, registration: String) async {
        do {
            try await client.perform(operation.action, operation.topic, registration: registration)
            end(operation, error: nil)
        } catch {
            end(operation, error: error)
        }
    }

    private func end(_ operation: PendingTopics.Operation, error: (any Error)?) {
        let answers: [TopicAnswer] = state.withLock { state in
            guard !state.isClosed else { return [] }
            state.running[operation] = nil
            if let error, mayPass(error, of: operation, in: state.pending) {
                state.pending.postpone(operation, at: app.platform.clock.now())
                return []
            }
            // Stored under the lock, so that an older list never replaces a newer one.
            defer { store.save(state.pending) }
            return state.pending.finish(operation)
        }
        if let error { app.log.info("I-FCM011001", "The topic call for \(operation.topic.bare) failed: \(error)") }
        for answer in answers { answer(error) }
        advance()
    }

    /// Whether no answer came. An installation whose server cannot be reached is the caller's error; without a caller
    /// the operation waits for better times.
    private func mayPass(_ error: any Error, of operation: PendingTopics.Operation, in pending: PendingTopics) -> Bool {
        if error is WebError || error is CancellationError { return true }
        return !pending.isAwaited(operation) && (error as? InstallationsErrorCode)?.code == .serverUnreachable
    }

    /// Comes back when the first pause ends.
    private func setAlarm(_ state: inout State, now: Date) {
        let time = state.pending.nextTry(after: now)
        guard state.alarm?.time != time else { return }
        state.alarm?.task.cancel()
        state.alarm = time.map { time in
            let clock = app.platform.clock
            let task = app.platform.executors.start { [weak self] in
                guard (try? await clock.sleep(seconds: max(0, time.timeIntervalSince(now)))) != nil else { return }
                self?.wake(at: time)
            }
            return (time, task)
        }
    }

    private func wake(at time: Date) {
        state.withLock { state in
            if state.alarm?.time == time { state.alarm = nil }
        }
        advance()
    }
}
