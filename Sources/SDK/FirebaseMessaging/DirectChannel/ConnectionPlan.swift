#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// When the direct channel is tried, and when it is not.
struct ConnectionPlan: Sendable, Equatable {
    /// So long an attempt may take, up to the answer to the login.
    static let attemptSeconds = 40.0
    /// The pause after the n-th failed attempt in a row is 2 to the power of n seconds, n at most this.
    static let maximumExponent = 10
    /// Without a network: so often is looked for one that came back unannounced.
    static let offlineSeconds = 120.0

    enum Phase: Sendable, Equatable {
        case unwanted
        case attempting(until: Date)
        case up
        case waiting(until: Date)
        case offline(lookingAgainAt: Date)
    }

    /// What is to be done now.
    enum Step: Sendable, Equatable {
        case nothing
        case attempt
        /// Who waits for the channel is told that there is no network.
        case giveUp
        /// The running attempt took too long.
        case abandon
    }

    private(set) var phase = Phase.unwanted
    private var attempts = 0

    var isWanted: Bool { phase != .unwanted }

    var isAttempting: Bool { if case .attempting = phase { true } else { false } }

    var nextDeadline: Date? {
        switch phase {
        case .unwanted, .up: nil
        case .attempting(let time), .waiting(let time), .offline(let time): time
        }
    }

    /// The channel is to be there. A pause ends.
    mutating func want(isReachable: Bool, at now: Date) -> Step {
        switch phase {
        case .attempting, .up: return .nothing
        case .unwanted, .waiting, .offline:
            guard isReachable else { return goOffline(at: now) }
            return attempt(at: now)
        }
    }

    mutating func unwant() {
        phase = .unwanted
        attempts = 0
    }

    /// Something new makes the next attempt promising: the network is back, or there is something to send.
    mutating func hurry(at now: Date) -> Step {
        switch phase {
        case .unwanted, .attempting, .up: .nothing
        case .waiting, .offline: attempt(at: now)
        }
    }

    /// What there is serves the wrong device: another attempt, at once.
    mutating func restart(at now: Date) -> Step {
        isWanted ? attempt(at: now) : .nothing
    }

    mutating func signedIn() {
        guard isWanted else { return }
        phase = .up
        attempts = 0
    }

    /// The attempt failed, or the channel broke.
    mutating func failed(isReachable: Bool, at now: Date) -> Step {
        guard isWanted else { return .nothing }
        guard isReachable else { return goOffline(at: now) }
        phase = .waiting(until: now.addingTimeInterval(Double(1 << attempts)))
        return .nothing
    }

    mutating func timePassed(isReachable: Bool, at now: Date) -> Step {
        guard let deadline = nextDeadline, now >= deadline else { return .nothing }
        switch phase {
        case .unwanted, .up: return .nothing
        case .attempting: return .abandon
        case .waiting, .offline: return isReachable ? attempt(at: now) : goOffline(at: now)
        }
    }

    private mutating func attempt(at now: Date) -> Step {
        attempts = min(attempts + 1, Self.maximumExponent)
        phase = .attempting(until: now.addingTimeInterval(Self.attemptSeconds))
        return .attempt
    }

    private mutating func goOffline(at now: Date) -> Step {
        phase = .offline(lookingAgainAt: now.addingTimeInterval(Self.offlineSeconds))
        return .giveUp
    }
}
