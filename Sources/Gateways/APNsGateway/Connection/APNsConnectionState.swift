import EventLoop

/// The rules of one connection to APNs. Decides; `APNsConnection` acts.
///
/// Knows no socket, no session and no clock. Source: Apple, "Sending notification requests to APNs"; RFC 9113.
struct APNsConnectionState {
    enum Event: Equatable {
        /// The TLS handshake is done.
        case opened
        /// SETTINGS of the service: streams that it allows.
        case settings(streams: Int)
        case submitted(stream: Int32, generation: Int)
        /// A whole answer. `isAuthorized` is false when the credential was refused.
        case answered(stream: Int32, isAuthorized: Bool)
        /// A stream ended without an answer.
        case streamEnded(stream: Int32)
        /// The service takes no more requests here.
        case goAway(reason: String)
        /// The pool wants no more requests here.
        case replaced
        /// Bytes of any kind arrived, the answer to a PING included.
        case received
        /// Time has passed. Says whether pushes wait for a free stream.
        case tick(pushesWait: Bool)
        /// The transport or the protocol broke.
        case lost
    }

    enum Action: Equatable {
        /// Requests may be submitted, up to `freeStreams`.
        case useFreeStreams
        /// The answer did not come: reset the stream; its outcome is unknown.
        case giveUp(stream: Int32)
        case ping
        /// Open another connection in place of this one, before it is gone.
        case openReplacement
        /// APNs refuses the credential itself: do not connect again with it.
        case halt(reason: String)
        /// All answers are in: say GOAWAY and close.
        case close
        /// Nothing more can be expected: drop the connection. Outcomes of streams under way are unknown.
        case abort
        /// The connection never became usable.
        case failConnecting(reason: String)
    }

    enum Phase: Equatable {
        case connecting
        case awaitingSettings(since: MonotonicTime)
        /// A token has not been proved yet: one request at a time.
        case unproved
        case open
        case draining(since: MonotonicTime)
        case closed
    }

    /// One array for all, because every answer gives one.
    private static let useFreeStreams = [Action.useFreeStreams]

    /// Streams used at a time, should a service name no limit.
    static let maximumStreams = 4_096

    private struct UnderWay {
        var stream: Int32
        var deadline: MonotonicTime
    }

    private let timings: APNsTimings
    private let needsProof: Bool
    private(set) var phase = Phase.connecting
    private(set) var streamLimit = 0
    private(set) var underWay: Set<Int32> = []
    /// In order of submission, which is the order of the deadlines; streams that ended are skipped later.
    private var deadlines: [UnderWay] = []
    private var firstDeadline = 0
    private var lastReceived: MonotonicTime
    private var lastUsed: MonotonicTime
    private var pingSentAt: MonotonicTime?
    private var oneStreamSince: MonotonicTime?
    private(set) var tokenGeneration: Int?

    /// - Parameter needsProof: With a provider token, the first request goes alone.
    init(timings: APNsTimings, needsProof: Bool, now: MonotonicTime) {
        self.timings = timings
        self.needsProof = needsProof
        lastReceived = now
        lastUsed = now
    }

    /// Requests that may be submitted now.
    var freeStreams: Int {
        switch phase {
        case .unproved: max(0, min(1, streamLimit) - underWay.count)
        case .open: max(0, streamLimit - underWay.count)
        case .connecting, .awaitingSettings, .draining, .closed: 0
        }
    }

    /// Whether the connection takes requests now or will soon.
    var isUsable: Bool {
        switch phase {
        case .connecting, .awaitingSettings, .unproved, .open: true
        case .draining, .closed: false
        }
    }

    mutating func handle(_ event: Event, at now: MonotonicTime) -> [Action] {
        switch event {
        case .opened:
            if phase == .connecting { phase = .awaitingSettings(since: now) }
            return []
        case .settings(let streams): return limitChanged(to: streams, at: now)
        case .submitted(let stream, let generation): return submitted(stream, generation, at: now)
        case .answered(let stream, let isAuthorized): return answered(stream, isAuthorized: isAuthorized, at: now)
        case .streamEnded(let stream): return ended(stream)
        case .goAway(let reason): return goAway(reason, at: now)
        case .replaced: return drain(at: now)
        case .received:
            // Whoever sends anything is alive, even one who does not answer PINGs.
            lastReceived = now
            pingSentAt = nil
            return []
        case .tick(let pushesWait): return tick(pushesWait: pushesWait, at: now)
        case .lost: return lost()
        }
    }

    // MARK: Streams

    private mutating func limitChanged(to streams: Int, at now: MonotonicTime) -> [Action] {
        streamLimit = min(streams, Self.maximumStreams)
        oneStreamSince = streams <= 1 ? oneStreamSince ?? now : nil
        if case .awaitingSettings = phase { phase = needsProof ? .unproved : .open }
        return freeStreams > 0 ? Self.useFreeStreams : []
    }

    private mutating func submitted(_ stream: Int32, _ generation: Int, at now: MonotonicTime) -> [Action] {
        underWay.insert(stream)
        deadlines.append(UnderWay(stream: stream, deadline: now.adding(timings.request)))
        tokenGeneration = generation
        // Silence counts from the request on, not from the idle time before it.
        if underWay.count == 1 { lastReceived = max(lastReceived, now) }
        lastUsed = now
        return []
    }

    private mutating func answered(_ stream: Int32, isAuthorized: Bool, at now: MonotonicTime) -> [Action] {
        guard underWay.remove(stream) != nil else { return [] }
        if isAuthorized, phase == .unproved {
            phase = .open
            oneStreamSince = oneStreamSince.map { _ in now }
        }
        return afterEnd()
    }

    private mutating func ended(_ stream: Int32) -> [Action] {
        guard underWay.remove(stream) != nil else { return [] }
        return afterEnd()
    }

    private mutating func afterEnd() -> [Action] {
        if case .draining = phase, underWay.isEmpty { return finish(with: .close) }
        return freeStreams > 0 ? Self.useFreeStreams : []
    }

    // MARK: Endings

    private mutating func goAway(_ reason: String, at now: MonotonicTime) -> [Action] {
        switch phase {
        case .connecting, .awaitingSettings:
            phase = .closed
            let halt = Self.isRefusalOfCredential(reason) ? [Action.halt(reason: reason)] : []
            return halt + [.failConnecting(reason: reason), .abort]
        case .draining, .closed: return []
        case .unproved, .open:
            let next = Self.isRefusalOfCredential(reason) ? Action.halt(reason: reason) : .openReplacement
            return [next] + drain(at: now)
        }
    }

    private mutating func drain(at now: MonotonicTime) -> [Action] {
        switch phase {
        case .connecting, .awaitingSettings: return finish(with: .abort)
        case .draining, .closed: return []
        case .unproved, .open:
            guard !underWay.isEmpty else { return finish(with: .close) }
            phase = .draining(since: now)
            return []
        }
    }

    private mutating func finish(with action: Action) -> [Action] {
        phase = .closed
        return [action]
    }

    private mutating func lost() -> [Action] {
        let wasConnecting =
            switch phase {
            case .connecting, .awaitingSettings: true
            default: false
            }
        let wasUsable = isUsable
        guard phase != .closed else { return [] }
        phase = .closed
        if wasConnecting { return [.failConnecting(reason: ""), .abort] }
        return (wasUsable ? [.openReplacement] : []) + [.abort]
    }

    /// Reasons in GOAWAY after which another connection would end alike.
    private static func isRefusalOfCredential(_ reason: String) -> Bool {
        reason.hasPrefix("BadCertificate") || reason == "BadEnvironmentKeyIdInToken"
            || reason == "BadEnvironmentKeyInToken"
    }

    // MARK: Time

    private mutating func tick(pushesWait: Bool, at now: MonotonicTime) -> [Action] {
        switch phase {
        case .connecting, .closed: return []
        case .awaitingSettings(let since):
            guard now.since(since) >= timings.connect else { return [] }
            phase = .closed
            return [.failConnecting(reason: "no SETTINGS came"), .abort]
        case .draining(let since):
            if now.since(since) >= timings.drain { return finish(with: .abort) }
        case .unproved, .open: break
        }
        if let action = overduePing(at: now) { return action }
        return overdueStreams(at: now) + upkeep(pushesWait: pushesWait, at: now)
    }

    private mutating func overdueStreams(at now: MonotonicTime) -> [Action] {
        var actions: [Action] = []
        while firstDeadline < deadlines.count {
            let next = deadlines[firstDeadline]
            let isUnderWay = underWay.contains(next.stream)
            if isUnderWay {
                guard next.deadline <= now else { break }
                actions.append(.giveUp(stream: next.stream))
            }
            firstDeadline += 1
        }
        if firstDeadline > 1_024 || firstDeadline == deadlines.count {
            deadlines.removeFirst(firstDeadline)
            firstDeadline = 0
        }
        return actions
    }

    /// A connection whose PING stays unanswered is dead, whatever TCP says.
    private mutating func overduePing(at now: MonotonicTime) -> [Action]? {
        guard let pingSentAt, now.since(pingSentAt) >= timings.pingAnswer else { return nil }
        return lost()
    }

    private mutating func upkeep(pushesWait: Bool, at now: MonotonicTime) -> [Action] {
        let silence = underWay.isEmpty ? timings.idleBeforePing : timings.silenceBeforePing
        if underWay.isEmpty, now.since(lastUsed) >= timings.reapIdle { return drain(at: now) }
        if pingSentAt == nil, now.since(lastReceived) >= silence {
            pingSentAt = now
            return [.ping]
        }
        guard pushesWait, phase == .open, let oneStreamSince, now.since(oneStreamSince) >= timings.stuckAtOneStream
        else { return [] }
        return [.openReplacement] + drain(at: now)
    }
}
