import Accounts
import Bytes
import Crypto
import PushCore
import Synchronization

/// Hashes passwords on a thread of its own, one after the other: each takes a while and 32 MB, which no event loop and no
/// burst of sign-ins may cost. The thread lives while there is work.
final class PasswordWorker: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isRunning = false
    }

    /// A hash that no password has.
    private static let decoy =
        "$scrypt$\(PasswordHash.usualCost)$\(Base64URL.encode(SecureRandom.bytes(16)))$"
        + Base64URL.encode(SecureRandom.bytes(32))
    /// More that wait would wait too long.
    private static let maximumWaiting = 64

    private let state = Mutex(State())

    /// The worker as the accounts see it.
    var hashing: PasswordHashing {
        PasswordHashing(
            decoy: Self.decoy,
            hash: { (password) async throws(AccountError) in
                guard let hash = try await self.run({ try? PasswordHash(of: password).text }) else {
                    throw .store(.unavailable("The password could not be hashed: is there memory left?"))
                }
                return hash
            },
            matches: { (password, hash) async throws(AccountError) in
                try await self.run { PasswordHash(text: hash)?.matches(password) ?? false }
            })
    }

    private func run<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result
    ) async throws(AccountError) -> Result {
        let result: Result? = await withCheckedContinuation { continuation in
            let isTaken = add { continuation.resume(returning: work()) }
            if !isTaken { continuation.resume(returning: nil) }
        }
        guard let result else { throw .busy }
        return result
    }

    private func add(_ job: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, starts) = state.withLock { state in
            guard state.jobs.count < Self.maximumWaiting else { return (false, false) }
            state.jobs.append(job)
            defer { state.isRunning = true }
            return (true, !state.isRunning)
        }
        if starts { DetachedThread.run { self.work() } }
        return isTaken
    }

    private func work() {
        while let job = next() { job() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.jobs.removeFirst()
        }
    }
}
