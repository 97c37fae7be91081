public import Bytes
import PushCore
import Timekeeping

/// A session that was just opened.
public struct NewSession: Sendable {
    public var user: ConsoleUser
    /// What the cookie holds. Not kept anywhere else.
    public var secret: String

    public init(user: ConsoleUser, secret: String) {
        self.user = user
        self.secret = secret
    }
}

extension Accounts {
    /// Opens a session for whoever knows the password.
    ///
    /// Takes as long for a name that nobody has.
    /// - Parameter address: The peer's, without port.
    public func signIn(
        name: String, password: Secret<String>, from address: String
    ) async throws(AccountError) -> NewSession {
        let user = try await user(named: name, knowing: password, from: address)
        let secret = freshSecret()
        let now = clock.now()
        _ = try await asking { (store) throws(StoreError) in
            try await store.openSession(hash: digest(secret), of: user.id, rules: rules, at: now)
        }
        return NewSession(user: user, secret: secret)
    }

    /// The user of a name, if the password is right. Counts against the limits if it is wrong.
    func user(
        named text: String, knowing password: Secret<String>, from address: String
    ) async throws(AccountError) -> ConsoleUser {
        let name = UserName(text)
        try limiter.begin(name: name, address: address)
        guard password.reveal().utf8.count <= PasswordRules.maximumBytes else { throw .wrongCredentials }
        let found: (user: ConsoleUser, passwordHash: String)?
        do throws(StoreError) {
            found = if let name { try store.user(named: name) } else { nil }
        } catch {
            throw .store(error)
        }
        let isRight = try await passwords.matches(password, found?.passwordHash ?? passwords.decoy)
        guard isRight, let user = found?.user else { throw .wrongCredentials }
        limiter.succeeded(name: user.name, address: address)
        return user
    }

    /// Who holds the session of a cookie; `nil` when it is none of ours or over.
    public func visitor(sessionSecret secret: String) async throws(AccountError) -> Visitor? {
        guard Self.isPlausible(secret) else { return nil }
        let now = clock.now()
        let found = try await asking { (store) throws(StoreError) in try store.session(hash: digest(secret)) }
        guard let (session, user) = found, rules.isAlive(session, at: now) else { return nil }
        if rules.needsNote(session, at: now) {
            try await asking { (store) throws(StoreError) in try await store.noteUse(of: session.id, at: now) }
        }
        return Visitor(user: user, proof: .session(session.id, secret: secret))
    }

    public func signOut(_ visitor: Visitor) async throws(AccountError) {
        guard let session = visitor.sessionID else { return }
        try await asking { (store) throws(StoreError) in try await store.endSession(session) }
    }

    /// What pages of a session must send along with changes. Bound to the session's secret, so none is stored.
    public func forgeryToken(of visitor: Visitor) -> String {
        guard case .session(_, let secret) = visitor.proof else { return "" }
        return forgeryToken(secret: secret)
    }

    public func forgeryToken(secret: String) -> String {
        Base64URL.encode(sealing.seal(Array(secret.utf8)))
    }

    /// Whether a change comes from one of our pages. Scripts with a token of their own need no such proof: no browser
    /// sends theirs along unasked.
    public func isForgeryToken(_ text: String?, of visitor: Visitor) -> Bool {
        guard case .session(_, let secret) = visitor.proof else { return true }
        return sealing.isEqual(Array((text ?? "").utf8), Array(forgeryToken(secret: secret).utf8))
    }

    /// Base64url of `secretByteCount` bytes: anything else is not worth a hash.
    private static func isPlausible(_ secret: String) -> Bool {
        secret.utf8.count == (secretByteCount * 8 + 5) / 6
    }
}
