import PushCore
import PushModel
import Synchronization
import Timekeeping

/// A store that closes upstream messages when the test says so.
final class HeldClosings: UpstreamStore {
    private struct State {
        var isHeld = true
        var fails = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let store: any UpstreamStore
    private let state = Mutex(State())

    init(_ store: any UpstreamStore) {
        self.store = store
    }

    /// Returns when somebody waits for `release`.
    func begin() async {
        await withCheckedContinuation { continuation in
            let hasBegun = state.withLock { state in
                if state.waiting.isEmpty { state.watchers.append(continuation) }
                return !state.waiting.isEmpty
            }
            if hasBegun { continuation.resume() }
        }
    }

    func release(fails: Bool = false) {
        let waiting = state.withLock { state in
            state.isHeld = false
            state.fails = fails
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func closeUpstream(_ ids: [UpstreamID]) async throws(StoreError) {
        await withCheckedContinuation { continuation in
            let (isHeld, watchers) = state.withLock { state in
                guard state.isHeld else { return (false, [CheckedContinuation<Void, Never>]()) }
                state.waiting.append(continuation)
                defer { state.watchers = [] }
                return (true, state.watchers)
            }
            for watcher in watchers { watcher.resume() }
            if !isHeld { continuation.resume() }
        }
        if state.withLock(\.fails) { throw .unavailable("test") }
        try await store.closeUpstream(ids)
    }

    func acceptUpstream(
        _ draft: UpstreamDraft, from origin: UpstreamOrigin?
    ) async throws(StoreError) -> UpstreamMessage? {
        try await store.acceptUpstream(draft, from: origin)
    }

    func openUpstream(
        of project: ProjectNumber, after id: UpstreamID, limit: Int
    ) throws(StoreError) -> [UpstreamMessage] {
        try store.openUpstream(of: project, after: id, limit: limit)
    }

    func upstreamQueueIDs(of device: UInt64, limit: Int) throws(StoreError) -> [String] {
        try store.upstreamQueueIDs(of: device, limit: limit)
    }

    func pruneUpstream(expiredBefore time: Timestamp) async throws(StoreError) {
        try await store.pruneUpstream(expiredBefore: time)
    }
}
