import Bytes
import PushCore
public import Timekeeping

extension Accounts {
    /// Makes a token for scripts.
    /// - Returns: The text too, which is not kept.
    public func makeToken(
        named name: String, for user: ConsoleUser, expiresAt: Timestamp?
    ) async throws(AccountError) -> (token: ConsoleToken, text: String) {
        let text = ConsoleToken.prefix + freshSecret()
        let now = clock.now()
        let token = try await asking { (store) throws(StoreError) in
            try await store.addToken(hash: digest(text), name: name, of: user.id, expiresAt: expiresAt, at: now)
        }
        return (token, text)
    }

    /// Who shows a token; `nil` when it is none of ours or has expired.
    public func visitor(token text: String) async throws(AccountError) -> Visitor? {
        guard text.hasPrefix(ConsoleToken.prefix), text.utf8.count <= 128 else { return nil }
        let now = clock.now()
        let found = try await asking { (store) throws(StoreError) in try store.token(hash: digest(text)) }
        guard let (token, user) = found, token.isValid(at: now) else { return nil }
        if token.lastUsedAt.map({ now >= $0.adding(seconds: rules.noteSeconds) }) ?? true {
            try await asking { (store) throws(StoreError) in try await store.noteUse(of: token.id, at: now) }
        }
        return Visitor(user: user, proof: .token(token.id))
    }

    public func tokens(of user: ConsoleUser) async throws(AccountError) -> [ConsoleToken] {
        try await asking { (store) throws(StoreError) in try store.tokens(of: user.id) }
    }

    public func removeToken(_ id: TokenID, of user: ConsoleUser) async throws(AccountError) {
        try await asking { (store) throws(StoreError) in try await store.removeToken(id, of: user.id) }
    }
}
