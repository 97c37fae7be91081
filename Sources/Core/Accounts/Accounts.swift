import Bytes
public import PushCore
public import Timekeeping

/// Who may use the console: signing in and out, sessions, tokens, users.
///
/// Secrets are random bytes, of which the store has SHA-256 only: whoever reads the database cannot become anybody.
public struct Accounts: Sendable {
    static let secretByteCount = 32

    public let store: any AccountStore
    public let rules: SessionRules
    /// The machine's clock also in the emulator, whose virtual time must not sign people out.
    let clock: any WallClock
    let passwords: PasswordHashing
    let limiter: SignInLimiter
    let sealing: Sealing

    /// - Parameter sealing: Any; the accounts derive their own.
    public init(
        store: any AccountStore, clock: any WallClock, passwords: PasswordHashing, sealing: Sealing,
        rules: SessionRules = SessionRules(), rates: SignInLimiter.Rates = SignInLimiter.Rates()
    ) {
        self.store = store
        self.clock = clock
        self.passwords = passwords
        self.sealing = sealing.derived(for: "console-request-forgery")
        self.rules = rules
        limiter = SignInLimiter(rates, clock: clock)
    }

    /// Asks the store; its refusals become errors of accounts.
    func asking<Result>(
        _ question: (any AccountStore) async throws(StoreError) -> Result
    ) async throws(AccountError) -> Result {
        do throws(StoreError) {
            return try await question(store)
        } catch {
            throw .store(error)
        }
    }

    /// A secret that nobody can guess, as text.
    func freshSecret() -> String {
        Base64URL.encode(sealing.random(Self.secretByteCount))
    }

    func digest(_ secret: String) -> [UInt8] {
        sealing.digest(Array(secret.utf8))
    }
}
