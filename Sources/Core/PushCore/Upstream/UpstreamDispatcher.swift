public import PushModel
import Synchronization
public import Timekeeping

/// Hands the messages of apps, and receipts, to the app servers that are connected.
///
/// The store holds the messages; in memory is only which connection has which ones. They go out in order of acceptance,
/// spread over the connections of the project. A message is done when the connection that was given it acknowledges
/// it, or when its time to live ends; if the connection ends first, another one gets the message.
public final class UpstreamDispatcher: Sendable {
    private let store: any UpstreamStore
    private let clock: any WallClock
    private let delays: any DelayScheduler
    private let configuration: UpstreamConfiguration
    private let ended: @Sendable (UpstreamID, Bool) -> Void
    /// Projects that have, or had, a connection.
    private let lanes = Mutex<[ProjectNumber: UpstreamLane]>([:])

    /// - Parameter ended: Hears of each message that is done: its id, and whether an app server acknowledged it.
    public init(
        store: any UpstreamStore, clock: any WallClock, delays: any DelayScheduler,
        configuration: UpstreamConfiguration = UpstreamConfiguration(),
        ended: @escaping @Sendable (UpstreamID, Bool) -> Void = { _, _ in }
    ) {
        self.store = store
        self.clock = clock
        self.delays = delays
        self.configuration = configuration
        self.ended = ended
    }

    /// A message was stored: if a connection has room, it goes out at once.
    public func accepted(_ message: UpstreamMessage) {
        lane(of: message.content.project)?.accepted(message)
    }

    /// The connection takes messages from now on, beginning with those that wait.
    public func connect(_ session: any AppServerSession, of project: ProjectNumber) {
        let lane = lanes.withLock { lanes in
            if let lane = lanes[project] { return lane }
            let lane = UpstreamLane(
                project: project, store: store, clock: clock, delays: delays, configuration: configuration,
                ended: ended)
            lanes[project] = lane
            return lane
        }
        lane.connect(session)
    }

    /// The connection gets no more messages, but may still acknowledge those that it has.
    public func stopDelivering(to session: any AppServerSession, of project: ProjectNumber) {
        lane(of: project)?.pause(session)
    }

    /// The connection is gone: what it has not acknowledged goes to the others, or to the next one.
    public func disconnect(_ session: any AppServerSession, of project: ProjectNumber) {
        lane(of: project)?.disconnect(session)
    }

    /// The app server has the message.
    ///
    /// - Parameter sender: Whom the app server names as the origin; `nil` when it names nobody.
    /// - Returns: Whether the message was this connection's to acknowledge. An acknowledgement that comes too late, or
    ///   on another connection, changes nothing.
    @discardableResult
    public func acknowledge(
        _ messageID: String, from sender: String?, by session: any AppServerSession, of project: ProjectNumber
    ) -> Bool {
        lane(of: project)?.acknowledge(messageID, from: sender, by: session) ?? false
    }

    /// The project was deleted, and its messages with it: nothing goes to its connections any more.
    public func forget(_ project: ProjectNumber) {
        _ = lanes.withLock { $0.removeValue(forKey: project) }
    }

    /// How many messages the project's connections have without having acknowledged them.
    public func unacknowledged(of project: ProjectNumber) -> Int {
        lane(of: project)?.unacknowledged ?? 0
    }

    /// Returns when the acknowledgements that a project's connections have sent by now are in the store, or when the
    /// store does not take them.
    public func drain(_ project: ProjectNumber) async {
        await lane(of: project)?.drain()
    }

    /// Returns when every acknowledgement that was heard is in the store.
    public func drain() async {
        for lane in lanes.withLock({ Array($0.values) }) { await lane.drain() }
    }

    private func lane(of project: ProjectNumber) -> UpstreamLane? {
        lanes.withLock { $0[project] }
    }
}
