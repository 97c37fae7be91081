import Crypto
import EventLoop
import JSON
import Synchronization
import Timekeeping

/// The provider token of one signing key: one for the whole process, shared by all its connections.
final class ProviderToken: Sendable {
    /// A token as it was at some moment.
    struct Snapshot: Sendable, Equatable {
        var generation: Int
        /// The value of `authorization`.
        var authorization: String
        var issuedAt: MonotonicTime
    }

    private struct State {
        var policy = ProviderTokenPolicy()
        var current: Snapshot?
    }

    private let keyID: String
    private let teamID: String
    private let key: P256PrivateKey
    private let clock: any WallClock
    private let state = Mutex(State())

    /// - Throws: When the text is no P-256 key.
    init(pem: String, keyID: String, teamID: String, clock: any WallClock) throws(KeyError) {
        key = try P256PrivateKey(pem: pem)
        self.keyID = keyID
        self.teamID = teamID
        self.clock = clock
    }

    /// The token to send now, made anew when it is due. Signing takes some 50 microseconds, under the lock, so that
    /// nobody else signs meanwhile.
    func current(at now: MonotonicTime) throws(CryptoError) -> Snapshot {
        let wall = clock.now()
        return try state.withLock { (state) throws(CryptoError) in
            if let current = state.current, !state.policy.isDue(at: now, wall: wall) { return current }
            let claims: JSONObject = ["iss": .string(teamID), "iat": .integer(wall.seconds)]
            let token = try JWT.encode(claims, keyID: keyID, type: nil, with: .es256(key))
            state.policy.issued(at: now, wall: wall)
            let fresh = Snapshot(
                generation: state.policy.generation, authorization: "bearer " + token, issuedAt: now)
            state.current = fresh
            return fresh
        }
    }

    /// APNs called the token of that generation expired.
    func refused(generation: Int, at now: MonotonicTime) {
        state.withLock { _ = $0.policy.refused(generation: generation, at: now) }
    }
}
