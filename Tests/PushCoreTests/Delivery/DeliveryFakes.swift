import PushCore
import PushModel
import Synchronization
import Timekeeping

/// Wakes tests that wait for something to become true, each time anything changes.
final class Changes: Sendable {
    private struct Waiter: Sendable {
        var isTrue: @Sendable () -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private let waiters = Mutex<[Waiter]>([])

    /// Call after each change.
    func happened() {
        let due = waiters.withLock { waiters in
            let due = waiters.filter { $0.isTrue() }
            waiters.removeAll { $0.isTrue() }
            return due
        }
        for waiter in due { waiter.continuation.resume() }
    }

    func wait(until isTrue: @escaping @Sendable () -> Bool) async {
        await withCheckedContinuation { continuation in
            waiters.withLock { $0.append(Waiter(isTrue: isTrue, continuation: continuation)) }
            happened()
        }
    }
}

/// Pending deliveries in a dictionary; outcomes in order.
final class InMemoryDeliveryStore: DeliveryStore {
    struct State: Sendable {
        var pending: [DeliveryID: QueuedDelivery] = [:]
        var finished: [FinishedDelivery] = []
        /// As if the process died before the writer came round: outcomes are lost.
        var losesOutcomes = false
        var failures = 0
        var pagesRead = 0
    }

    let state = Mutex(State())
    let changes: Changes

    init(_ changes: Changes) { self.changes = changes }

    func commit(_ deliveries: [QueuedDelivery]) {
        state.withLock { state in for delivery in deliveries { state.pending[delivery.id] = delivery } }
    }

    func accept(
        _ message: ValidatedMessage, deliveries: [PlannedDelivery]
    ) async throws(StoreError) -> Acceptance { Acceptance(deliveries: []) }

    func finish(_ outcomes: [FinishedDelivery]) {
        state.withLock { state in
            state.finished += outcomes
            guard !state.losesOutcomes else { return }
            for outcome in outcomes { state.pending[outcome.id] = nil }
        }
        changes.happened()
    }

    func pendingDeliveries(after id: DeliveryID, limit: Int) throws(StoreError) -> [QueuedDelivery] {
        try state.withLock { (state) throws(StoreError) in
            state.pagesRead += 1
            guard state.failures == 0 else {
                state.failures -= 1
                throw .unavailable("broken on purpose")
            }
            return Array(state.pending.values.filter { $0.id > id }.sorted { $0.id < $1.id }.prefix(limit))
        }
    }

    func pendingCount() throws(StoreError) -> Int { state.withLock { $0.pending.count } }
    func largestMessageID() throws(StoreError) -> MessageID { MessageID(value: 0) }

    var outcomes: [DeliveryOutcome] { state.withLock { $0.finished.map(\.outcome) } }
}

/// Keeps pushes until the test answers them.
final class ScriptedGateway: AppleGateway {
    struct Request: Sendable {
        var push: ApplePush
        var project: ProjectNumber
        var answer: @Sendable (GatewayAnswer) -> Void
    }

    private struct State {
        var requests: [Request] = []
        var all: [ApplePush] = []
        var reply: (@Sendable (ApplePush) -> GatewayAnswer?)?
    }

    private let state = Mutex(State())
    private let changes: Changes

    init(_ changes: Changes) { self.changes = changes }

    /// Answers at once what the closure decides.
    func reply(_ reply: @escaping @Sendable (ApplePush) -> GatewayAnswer?) { state.withLock { $0.reply = reply } }

    func send(
        _ push: ApplePush, from project: ProjectNumber, bundleID: String,
        completion: @escaping @Sendable (GatewayAnswer) -> Void
    ) {
        let reply = state.withLock { state in
            state.all.append(push)
            return state.reply
        }
        if let answer = reply?(push) {
            completion(answer)
        } else {
            state.withLock { $0.requests.append(Request(push: push, project: project, answer: completion)) }
        }
        changes.happened()
    }

    var sent: [ApplePush] { state.withLock(\.all) }
    var waiting: Int { state.withLock { $0.requests.count } }

    /// The oldest push without an answer.
    func next() async -> Request {
        await changes.wait { [self] in waiting > 0 }
        return state.withLock { $0.requests.removeFirst() }
    }
}

/// Runs work when the test lets time pass.
final class ManualScheduler: DelayScheduler {
    private struct Item: Sendable {
        var due: Int64
        var action: @Sendable () -> Void
    }

    private struct State {
        var now: Int64 = 0
        var items: [Item] = []
    }

    private let state = Mutex(State())
    private let changes: Changes

    init(_ changes: Changes) { self.changes = changes }

    func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.items.append(Item(due: state.now.addingReportingOverflow(milliseconds).partialValue, action: action))
        }
        changes.happened()
    }

    var delays: [Int64] { state.withLock { state in state.items.map { $0.due - state.now }.sorted() } }

    func waitForTimer(within milliseconds: Int64 = .max) async {
        await changes.wait { [self] in delays.contains { $0 <= milliseconds } }
    }

    func advance(milliseconds: Int64) {
        let due = state.withLock { state in
            state.now += milliseconds
            let now = state.now
            let due = state.items.filter { $0.due <= now }.sorted { $0.due < $1.due }
            state.items.removeAll { $0.due <= now }
            return due
        }
        for item in due { item.action() }
    }
}

/// Projects whose APNs credentials the test chooses.
final class CredentialDirectory: ProjectDirectory {
    private let credentials = Mutex<[APNsCredential]>([])

    func set(_ environments: Set<APNsEnvironment>) {
        credentials.withLock {
            $0 =
                environments.isEmpty
                ? []
                : [
                    APNsCredential(
                        serial: 1, project: ProjectNumber(value: 1),
                        kind: .signingKey(pem: "", keyID: "KEYID00001", teamID: "TEAMID0001"),
                        environments: environments, bundleIDs: [])
                ]
        }
    }

    func project(id: ProjectID) -> Project? { nil }
    func project(number: ProjectNumber) -> Project? { nil }
    func app(id: AppID) -> App? { nil }
    func app(apiKey: String) -> App? { nil }
    func apps(of project: ProjectNumber) -> [App] { [] }
    func serviceAccounts(email: String) -> [ServiceAccount] { [] }
    func serviceAccount(serial: Int64) -> ServiceAccount? { nil }
    func project(serverKeyHash hash: [UInt8]) -> Project? { nil }
    func apnsCredentials(of project: ProjectNumber) -> [APNsCredential] { credentials.withLock { $0 } }
}
