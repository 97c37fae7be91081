import PushCore
import PushModel
import Synchronization
import Timekeeping

/// A dispatcher over a store in memory, with timers and a clock that the test moves.
final class UpstreamWorld: Sendable {
    static let project = ProjectNumber(value: 1)

    let store = MemoryUpstreamStore()
    let clock = ManualClock(Timestamp(seconds: 1_000))
    let delays = ManualDelays()
    let dispatcher: UpstreamDispatcher

    init(window: Int = 3) {
        var configuration = UpstreamConfiguration()
        configuration.window = window
        dispatcher = UpstreamDispatcher(store: store, clock: clock, delays: delays, configuration: configuration)
    }

    /// Stores a message and tells of it.
    @discardableResult
    func accept(
        _ name: String, from sender: String = "token", lifetimeSeconds: Int64 = 86_400,
        project: ProjectNumber = project
    ) -> UpstreamMessage {
        let message = add(name, from: sender, lifetimeSeconds: lifetimeSeconds, project: project)
        dispatcher.accepted(message)
        return message
    }

    /// Stores a message and tells nobody.
    func add(
        _ name: String, from sender: String = "token", lifetimeSeconds: Int64 = 86_400,
        project: ProjectNumber = project
    ) -> UpstreamMessage {
        store.add(
            UpstreamDraft(
                project: project, kind: .message, from: sender, category: "com.example.app", messageID: name,
                timeToLiveSeconds: lifetimeSeconds, expiresAt: clock.now().adding(seconds: lifetimeSeconds)))
    }

    func connect(_ session: RecordingSession, project: ProjectNumber = project) {
        dispatcher.connect(session, of: project)
    }

    func connected() -> RecordingSession {
        let session = RecordingSession()
        connect(session)
        return session
    }

    func disconnect(_ session: RecordingSession) {
        dispatcher.disconnect(session, of: Self.project)
    }

    func acknowledge(_ name: String, from sender: String? = "token", by session: RecordingSession) -> Bool {
        dispatcher.acknowledge(name, from: sender, by: session, of: Self.project)
    }

    /// One fourth of the time after which a message is handed over again.
    func beat() {
        delays.fire()
    }
}

/// An app server that notes what it gets.
final class RecordingSession: AppServerSession {
    private let list = Mutex<[UpstreamMessage]>([])
    private let reaction = Mutex<(@Sendable (UpstreamMessage) -> Void)?>(nil)

    var messages: [UpstreamMessage] { list.withLock { $0 } }
    var names: [String] { messages.map(\.content.messageID) }

    func onDelivery(_ reaction: @escaping @Sendable (UpstreamMessage) -> Void) {
        self.reaction.withLock { $0 = reaction }
    }

    func deliver(_ message: UpstreamMessage) {
        list.withLock { $0.append(message) }
        reaction.withLock { $0 }?(message)
    }
}

/// Timers that fire when the test says so.
final class ManualDelays: DelayScheduler {
    private let actions = Mutex<[@Sendable () -> Void]>([])

    var count: Int { actions.withLock { $0.count } }

    func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void) {
        actions.withLock { $0.append(action) }
    }

    /// Fires what is waiting now.
    func fire() {
        let due = actions.withLock { actions in
            defer { actions = [] }
            return actions
        }
        for action in due { action() }
    }
}

/// Messages in memory, with failures on demand.
final class MemoryUpstreamStore: UpstreamStore {
    private struct State {
        var open: [UpstreamMessage] = []
        var last: Int64 = 0
        var closed: [UpstreamID] = []
        var readFailures = 0
        var closeFailures = 0
        var reads = 0
    }

    private let state = Mutex(State())

    var open: [UpstreamMessage] { state.withLock { $0.open } }
    var closed: [UpstreamID] { state.withLock { $0.closed } }
    var reads: Int { state.withLock { $0.reads } }

    func add(_ draft: UpstreamDraft) -> UpstreamMessage {
        state.withLock { state in
            state.last += 1
            let previous = state.open.last { $0.content.project == draft.project }?.id
            let message = UpstreamMessage(id: UpstreamID(value: state.last), content: draft, previous: previous)
            state.open.append(message)
            return message
        }
    }

    func failReads(_ count: Int) {
        state.withLock { $0.readFailures = count }
    }

    func failClosing(_ count: Int) {
        state.withLock { $0.closeFailures = count }
    }

    func lose(_ id: UpstreamID) {
        state.withLock { $0.open.removeAll { $0.id == id } }
    }

    func acceptUpstream(
        _ draft: UpstreamDraft, from origin: UpstreamOrigin?
    ) async throws(StoreError) -> UpstreamMessage? {
        add(draft)
    }

    func openUpstream(
        of project: ProjectNumber, after id: UpstreamID, limit: Int
    ) throws(StoreError) -> [UpstreamMessage] {
        let found: [UpstreamMessage]? = state.withLock { state in
            state.reads += 1
            guard state.readFailures == 0 else {
                state.readFailures -= 1
                return nil
            }
            return Array(state.open.filter { $0.content.project == project && $0.id > id }.prefix(limit))
        }
        guard let found else { throw .unavailable("test") }
        return found
    }

    func closeUpstream(_ ids: [UpstreamID]) async throws(StoreError) {
        await Task.yield()
        let succeeds = state.withLock { state in
            guard state.closeFailures == 0 else {
                state.closeFailures -= 1
                return false
            }
            state.open.removeAll { ids.contains($0.id) }
            state.closed += ids
            return true
        }
        if !succeeds { throw .unavailable("test") }
    }

    func upstreamQueueIDs(of device: UInt64, limit: Int) throws(StoreError) -> [String] { [] }

    func pruneUpstream(expiredBefore time: Timestamp) async throws(StoreError) {
        state.withLock { $0.open.removeAll { $0.content.expiresAt < time } }
    }
}
