import EventLoop
import PushModel
import Synchronization
import Telemetry

/// The part of a server that lives on one loop: its connections and what they share.
///
/// `@unchecked Sendable`: touched on its loop's thread only, but for `rings`, which is guarded by itself.
final class ChannelLoop: @unchecked Sendable {
    /// What a device that does not read may make the service hold; more stays in its inbox.
    static let highWaterBytes = 65_536
    /// Scratch that grew beyond this is given back.
    private static let largestScratchBytes = 1_048_576

    private struct Ring {
        let connection: DeviceConnection
        let delivery: QueuedDelivery
    }

    let loop: EventLoop
    let shared: ChannelShared
    /// Scratch for what is written to one connection; used up within one call.
    var output: [UInt8] = []
    var translations = RecentTranslations()
    private(set) lazy var acknowledgements = AcknowledgementBatch(part: self)
    private(set) var isDraining = false
    private var connections: [ObjectIdentifier: DeviceConnection] = [:]
    /// Commits that outlive their connection.
    private var unfinished = 0
    private var onEmpty: [() -> Void] = []
    /// Deliveries that other threads announced and that this loop has not taken yet.
    private let rings = Mutex<[Ring]>([])

    init(loop: EventLoop, shared: ChannelShared) {
        self.loop = loop
        self.shared = shared
    }

    func enter(_ connection: DeviceConnection) {
        connections[ObjectIdentifier(connection)] = connection
        shared.measures.connections.add(1)
    }

    func leave(_ connection: DeviceConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        shared.measures.connections.add(-1)
        finishDrainIfEmpty()
    }

    /// Runs a commit that the server waits for when it drains.
    func commit(_ body: @escaping @Sendable () async -> Void) {
        commitBegins()
        Task(executorPreference: loop) { [self] in
            await body()
            commitEnded()
        }
    }

    func commitBegins() {
        unfinished += 1
    }

    func commitEnded() {
        unfinished -= 1
        finishDrainIfEmpty()
    }

    /// Hands the scratch to the connection.
    func flush(to write: ([UInt8]) -> Void) {
        guard !output.isEmpty else { return }
        write(output)
        output.removeAll(keepingCapacity: output.capacity <= Self.largestScratchBytes)
    }

    // MARK: Rings

    /// Callable from every thread. Many rings make one job of the loop.
    func ring(_ connection: DeviceConnection, _ delivery: QueuedDelivery) {
        let isFirst = rings.withLock { rings in
            rings.append(Ring(connection: connection, delivery: delivery))
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
            ring.connection.rung(ring.delivery)
            let isLast = place + 1 == taken.count || taken[place + 1].connection !== ring.connection
            if isLast { ring.connection.settleDown() }
        }
    }

    // MARK: Draining

    /// Connections that are closed in one go.
    private static let drainStep = 64

    func drain(deadline: Duration) async {
        await withCheckedContinuation { done in
            let isRunning = loop.execute { [self] in
                isDraining = true
                onEmpty.append { done.resume() }
                loop.schedule(after: deadline) { [self] in abortAll() }
                drainSome(Array(connections.values)[...], over: deadline / 2)
                finishDrainIfEmpty()
            }
            if !isRunning { done.resume() }
        }
    }

    /// All devices that leave at once come back at once, so they leave in steps.
    private func drainSome(_ rest: ArraySlice<DeviceConnection>, over time: Duration) {
        for connection in rest.prefix(Self.drainStep) { connection.drain() }
        let later = rest.dropFirst(Self.drainStep)
        guard !later.isEmpty else { return }
        let steps = (later.count + Self.drainStep - 1) / Self.drainStep
        loop.schedule(after: min(.milliseconds(20), time / steps)) { [self] in
            drainSome(later, over: time - min(.milliseconds(20), time / steps))
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
