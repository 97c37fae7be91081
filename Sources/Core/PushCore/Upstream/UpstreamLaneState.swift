import PushModel
import Timekeeping

/// The connections of one project and what each of them has. Decides; `UpstreamLane` acts.
struct UpstreamLaneState: Sendable {
    struct HandOver: Sendable {
        var message: UpstreamMessage
        var session: any AppServerSession
    }

    /// What is to be done next, by one thread at a time; then `endPumping`.
    enum Step: Sendable {
        case read(after: UpstreamID)
        case handOver([HandOver], expired: [UpstreamID])
    }

    /// When the store closes nothing any more, nothing more goes out either.
    private static let maximumDone = 10_000

    private(set) var windows: [UpstreamWindow] = []
    /// The messages of all windows.
    private(set) var outside: Set<UpstreamID> = []
    /// Acknowledged or expired, and perhaps still open in what somebody has read or is reading from the store.
    private var done: Set<UpstreamID> = []
    /// Of those, what the store has closed while somebody was reading.
    private var closedMeanwhile: [UpstreamID] = []
    /// Every open message up to here was read: it is in a window, ahead, or done.
    private(set) var cursor = UpstreamID(value: 0)
    /// The farthest place that the cursor had: whether an older message is still open, only the store knows.
    private var reached = UpstreamID(value: 0)
    /// Read, and waiting for room: what one look into the store brought. In order, none of them outside or done.
    private(set) var ahead: [UpstreamMessage] = []
    /// The store may have open messages after the cursor.
    private(set) var hasMore = false
    /// Somebody reads the store and hands over; nobody else does meanwhile, so the order stays.
    private(set) var isPumping = false
    /// The lane waits for the store to recover.
    var isPausing = false
    /// A beat is due.
    var isBeating = false
    private var beat = 0
    private var turn = 0

    var room: Int { windows.reduce(0) { $0 + $1.room } }

    // MARK: Connections

    mutating func connect(_ session: any AppServerSession, windowSize: Int) {
        guard !windows.contains(where: { $0.session === session }) else { return }
        windows.append(UpstreamWindow(session, size: windowSize))
        hasMore = true
    }

    mutating func pause(_ session: any AppServerSession) {
        guard let place = place(of: session) else { return }
        windows[place].isPaused = true
    }

    mutating func disconnect(_ session: any AppServerSession) {
        guard let place = place(of: session) else { return }
        let returned = windows.remove(at: place).entries.map(\.id)
        outside.subtract(returned)
        // The next connection begins with the oldest message, whichever it was.
        rewind(before: windows.isEmpty ? UpstreamID(value: 1) : returned.min())
        hasMore = true
    }

    mutating func acknowledge(
        _ messageID: String, from sender: String?, by session: any AppServerSession
    ) -> UpstreamID? {
        guard let place = place(of: session),
            let id = windows[place].acknowledge(messageID, from: sender)
        else { return nil }
        outside.remove(id)
        done.insert(id)
        return id
    }

    /// The store has closed the messages.
    mutating func closed(_ ids: [UpstreamID]) {
        if isPumping { closedMeanwhile += ids } else { done.subtract(ids) }
    }

    private func place(of session: any AppServerSession) -> Int? {
        windows.firstIndex { $0.session === session }
    }

    // MARK: Handing over

    /// - Returns: What to do when the message can go out at once; `nil` when it is to be read from the store.
    mutating func accepted(_ message: UpstreamMessage) -> HandOver? {
        guard !windows.isEmpty, !outside.contains(message.id), !done.contains(message.id) else { return nil }
        // Threads may tell of messages in another order than that in which they were stored.
        let followsCursor = message.id > reached && message.previous.map { $0 <= cursor } != false
        let isNext = ahead.isEmpty && !hasMore && !isPumping && !isPausing && followsCursor
        guard isNext, let handOver = assign(message) else {
            rewind(before: message.id)
            hasMore = true
            return nil
        }
        advance(to: message.id)
        isPumping = true
        return handOver
    }

    /// - Returns: `nil` when there is nothing to do, or somebody does it.
    mutating func nextStep(now: Timestamp) -> Step? {
        guard !isPumping, !isPausing, room > 0, done.count < Self.maximumDone else { return nil }
        guard hasMore || !ahead.isEmpty else { return nil }
        isPumping = true
        guard ahead.isEmpty else { return shareOut(now: now) }
        hasMore = false
        return .read(after: cursor)
    }

    /// What was taken is handed over.
    mutating func endPumping() {
        isPumping = false
        done.subtract(closedMeanwhile)
        closedMeanwhile = []
    }

    /// Takes what was read after `start`.
    ///
    /// - Parameter isAll: The store had no more.
    mutating func take(_ messages: [UpstreamMessage], after start: UpstreamID, isAll: Bool) {
        // Somebody disconnected while the store was read: what came back may be older than what was read.
        guard cursor == start, !windows.isEmpty else {
            hasMore = true
            return
        }
        if !isAll { hasMore = true }
        ahead = messages.filter { !outside.contains($0.id) && !done.contains($0.id) }
        advance(to: messages.last?.id ?? cursor)
    }

    private mutating func advance(to id: UpstreamID) {
        cursor = id
        reached = max(reached, id)
    }

    /// Gives what was read to the connections in turn, until there is no room.
    private mutating func shareOut(now: Timestamp) -> Step {
        var handOvers: [HandOver] = []
        var expired: [UpstreamID] = []
        var used = 0
        for message in ahead {
            if message.content.expiresAt <= now {
                expired.append(message.id)
            } else if let handOver = assign(message) {
                handOvers.append(handOver)
            } else {
                break
            }
            used += 1
        }
        ahead.removeFirst(used)
        done.formUnion(expired)
        return .handOver(handOvers, expired: expired)
    }

    mutating func readAgainLater() {
        hasMore = true
        isPausing = true
        endPumping()
    }

    /// The next connection in turn that has room gets the message.
    private mutating func assign(_ message: UpstreamMessage) -> HandOver? {
        for offset in windows.indices {
            let place = (turn + offset) % windows.count
            guard windows[place].room > 0 else { continue }
            windows[place].add(message, beat: beat)
            outside.insert(message.id)
            turn = place + 1
            return HandOver(message: message, session: windows[place].session)
        }
        return nil
    }

    private mutating func rewind(before id: UpstreamID?) {
        guard let id, id <= cursor else { return }
        cursor = UpstreamID(value: id.value - 1)
        ahead.removeAll { $0.id >= id }
    }

    // MARK: Time

    /// One more beat has passed.
    ///
    /// - Returns: What expired, and what is to be handed over again because it was not acknowledged for so many beats.
    mutating func beat(
        now: Timestamp, patienceBeats: Int
    ) -> (expired: [UpstreamID], overdue: [(id: UpstreamID, session: any AppServerSession)]) {
        beat += 1
        var expired: [UpstreamID] = []
        var overdue: [(UpstreamID, any AppServerSession)] = []
        for place in windows.indices {
            expired += windows[place].removeExpired(at: now)
            let session = windows[place].session
            overdue += windows[place].takeOverdue(upTo: beat - patienceBeats, now: beat).map { ($0, session) }
        }
        outside.subtract(expired)
        done.formUnion(expired)
        if windows.isEmpty { isBeating = false }
        return (expired, overdue)
    }

    /// Whether the connection still has the message unacknowledged.
    func has(_ id: UpstreamID, _ session: any AppServerSession) -> Bool {
        windows.contains { $0.session === session && $0.entries.contains { $0.id == id } }
    }

    /// The store no longer has the message.
    mutating func forget(_ id: UpstreamID) {
        outside.remove(id)
        for place in windows.indices { windows[place].remove(id) }
    }
}
