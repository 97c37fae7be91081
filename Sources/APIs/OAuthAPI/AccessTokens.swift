public import Bytes
internal import Crypto
public import GoogleAPI
internal import JSON
public import PushCore
public import PushModel
internal import Synchronization
public import Timekeeping

/// Gives out access tokens and reads them again, also those that service accounts sign for themselves.
///
/// A token says who it is for and until when; whether the account still exists and is enabled is asked every time.
public final class AccessTokens: AccessTokenVerifier {
    /// How long a token lives.
    public static let lifetimeSeconds: Int64 = 3600

    /// A fresh token.
    public struct Issued: Sendable {
        public let text: String
        /// One second less than the life, as Google says it.
        public let expiresInSeconds: Int64
    }

    private struct SelfSigned {
        var accountSerial: Int64
        var scopes: OAuthScopes
        var life: ClaimedLife
    }

    private let codec: AccessTokenCodec
    private let directory: any ProjectDirectory
    private let clock: any WallClock
    private let audiences: OAuthAudiences
    private let signatures: SignatureCheck
    /// By the digest of the token: checking an RSA signature takes 30 times as long as a look here.
    private let verified = Mutex(RecentlyUsed<[UInt8], SelfSigned>(limit: 8192))
    /// Tokens of ours whose MAC was right. Their texts are hashed with a seed that nobody outside knows.
    private let decoded = Mutex(RecentlyUsed<String, AccessTokenContent>(limit: 8192))

    /// - Parameter secret: The server's secret: the same on all nodes of a service.
    public convenience init(
        secret: Secret<[UInt8]>, directory: any ProjectDirectory, clock: any WallClock, audiences: OAuthAudiences
    ) {
        self.init(
            secret: secret, directory: directory, clock: clock, audiences: audiences,
            signatures: SignatureCheck(directory: directory))
    }

    init(
        secret: Secret<[UInt8]>, directory: any ProjectDirectory, clock: any WallClock, audiences: OAuthAudiences,
        signatures: SignatureCheck
    ) {
        codec = AccessTokenCodec(secret: secret)
        self.directory = directory
        self.clock = clock
        self.audiences = audiences
        self.signatures = signatures
    }

    public func issue(to account: ServiceAccount, scopes: OAuthScopes) -> Issued {
        let now = clock.now()
        let content = AccessTokenContent(
            accountSerial: account.serial, scopes: scopes, issuedAt: now,
            expiresAt: now.adding(seconds: Self.lifetimeSeconds))
        return Issued(text: codec.encode(content), expiresInSeconds: Self.lifetimeSeconds - 1)
    }

    public func caller(presenting token: String) throws(AccessTokenError) -> Caller {
        if token.hasPrefix(AccessTokenCodec.prefix) {
            guard let content = content(of: token) else { throw .invalid }
            guard clock.now() < content.expiresAt else { throw .expired }
            return try caller(accountSerial: content.accountSerial, scopes: content.scopes)
        }
        let content = try selfSigned(token)
        guard !content.life.hasEnded(at: clock.now()) else { throw .expired }
        return try caller(accountSerial: content.accountSerial, scopes: content.scopes)
    }

    private func caller(accountSerial: Int64, scopes: OAuthScopes) throws(AccessTokenError) -> Caller {
        guard let account = directory.serviceAccount(serial: accountSerial), account.isEnabled else { throw .invalid }
        return Caller(account: account, scopes: scopes)
    }

    private func content(of token: String) -> AccessTokenContent? {
        if let known = decoded.withLock({ $0.value(of: token) }) { return known }
        guard let content = codec.decode(token) else { return nil }
        decoded.withLock { $0.insert(content, for: token) }
        return content
    }

    private func selfSigned(_ token: String) throws(AccessTokenError) -> SelfSigned {
        guard token.utf8.count <= JWT.maximumBytes else { throw .invalid }
        let digest = SHA256.hash(token)
        if let known = verified.withLock({ $0.value(of: digest) }) { return known }
        let content = try check(token)
        verified.withLock { $0.insert(content, for: digest) }
        return content
    }

    /// A token without `aud` says with its scopes what it is for; an old one without `scope` says it with its `aud`.
    private func check(_ text: String) throws(AccessTokenError) -> SelfSigned {
        guard let token = try? JWT(parsing: text), let life = ClaimedLife(token.claims),
            life.isReasonable(at: clock.now()), let account = try? signatures.signer(of: token)
        else { throw .invalid }
        let subject = token.claims["sub"]?.string ?? account.email
        let audience = token.claims["aud"]?.string
        guard subject == account.email, audience.map(audiences.apiURLs.contains) ?? true else { throw .invalid }
        if let scope = token.claims["scope"]?.string {
            return SelfSigned(accountSerial: account.serial, scopes: OAuthScopes(list: scope), life: life)
        }
        guard audience != nil else { throw .invalid }
        return SelfSigned(accountSerial: account.serial, scopes: .messaging, life: life)
    }
}
