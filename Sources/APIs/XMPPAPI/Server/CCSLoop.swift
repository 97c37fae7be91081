import EventLoop
import GoogleAPI
import PushCore
import PushModel
import Synchronization
import Telemetry
import XMPPWire

/// The part of a server that lives on one loop: its connections and what they share.
///
/// `@unchecked Sendable`: touched on its loop's thread only, but for `rings`, which is guarded by itself.
final class CCSLoop: @unchecked Sendable {
    private struct Ring {
        let connection: CCSConnection
        let message: UpstreamMessage
    }

    let loop: EventLoop
    let shared: CCSShared
    private(set) var isDraining = false
    private var connections: [ObjectIdentifier: CCSConnection] = [:]
    /// Commits that outlive their connection.
    private var unfinished = 0
    private var senderTimer: ScheduledTimer?
    private var onEmpty: [() -> Void] = []
    /// Upstream messages that other threads handed over and that this loop has not taken yet.
    private let rings = Mutex<[Ring]>([])

    init(loop: EventLoop, shared: CCSShared) {
        self.loop = loop
        self.shared = shared
    }

    func enter(_ connection: CCSConnection) {
        connections[ObjectIdentifier(connection)] = connection
        shared.measures.connections.add(1)
        if isDraining { connection.drain(patience: .zero) }
        if senderTimer == nil { checkSendersLater() }
    }

    func leave(_ connection: CCSConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        shared.measures.connections.add(-1)
        finishDrainIfEmpty()
    }

    /// Ends the connections of projects that were deleted, by whichever process.
    private func checkSenders() {
        senderTimer = nil
        var verdicts: [ProjectNumber: Bool] = [:]
        for connection in connections.values {
            guard let project = connection.project else { continue }
            let exists = verdicts[project] ?? shared.services.senders.isProject(project)
            verdicts[project] = exists
            if !exists { connection.end(with: XMPPStreamError(.notAuthorized, "the sender was deleted")) }
        }
        for (project, exists) in verdicts where !exists { shared.services.upstream.forget(project) }
        if !connections.isEmpty { checkSendersLater() }
    }

    private func checkSendersLater() {
        senderTimer = loop.schedule(after: shared.configuration.senderCheckInterval) { [weak self] in
            self?.checkSenders()
        }
    }

    /// Runs what the server waits for when it drains.
    func run(_ body: @escaping @Sendable () async -> Void) {
        unfinished += 1
        Task(executorPreference: loop) { [self] in
            await body()
            unfinished -= 1
            finishDrainIfEmpty()
        }
    }

    // MARK: Upstream

    /// Callable from every thread. Many messages make one job of the loop.
    func ring(_ connection: CCSConnection, _ message: UpstreamMessage) {
        let isFirst = rings.withLock { rings in
            rings.append(Ring(connection: connection, message: message))
            return rings.count == 1
        }
        if isFirst, !loop.execute({ [self] in takeRings() }) { rings.withLock { $0 = [] } }
    }

    private func takeRings() {
        let taken = rings.withLock { rings in
            defer { rings = [] }
            return rings
        }
        for (place, ring) in taken.enumerated() {
            ring.connection.take(ring.message)
            let isLast = place + 1 == taken.count || taken[place + 1].connection !== ring.connection
            if isLast { ring.connection.flush() }
        }
    }

    // MARK: Draining

    func drainConnections(of project: ProjectNumber?) async -> Int {
        await withCheckedContinuation { done in
            let isRunning = loop.execute { [self] in
                let told = connections.values.filter { connection in
                    connection.project != nil && (project == nil || connection.project == project)
                }
                for connection in told { connection.drain(patience: shared.configuration.drainPatience) }
                done.resume(returning: told.count)
            }
            if !isRunning { done.resume(returning: 0) }
        }
    }

    /// - Parameter deadline: App servers have a part of it to go by themselves.
    func drain(deadline: Duration) async {
        await withCheckedContinuation { done in
            let isRunning = loop.execute { [self] in
                isDraining = true
                onEmpty.append { done.resume() }
                loop.schedule(after: deadline) { [self] in abortAll() }
                for connection in connections.values { connection.drain(patience: min(.seconds(1), deadline / 2)) }
                finishDrainIfEmpty()
            }
            if !isRunning { done.resume() }
        }
    }

    private func abortAll() {
        for connection in connections.values { connection.abort() }
    }

    private func finishDrainIfEmpty() {
        guard isDraining, connections.isEmpty, unfinished == 0 else { return }
        let waiting = onEmpty
        onEmpty = []
        for resume in waiting { resume() }
    }
}
