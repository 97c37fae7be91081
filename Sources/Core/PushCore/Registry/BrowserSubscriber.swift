import Bytes
public import PushModel
public import Timekeeping

/// Registers browsers of which only the subscription is known, not an installation: the oldest web SDK, and app servers
/// that bring subscriptions from elsewhere.
///
/// Sources: FCM `connect/subscribe` (until 2024); Instance ID API, `v1/web/iid`.
public struct BrowserSubscriber: Sendable {
    /// Why a call was refused.
    public enum Refusal: Error, Sendable, Equatable {
        /// The endpoint is one of ours, but no browser holds it, or with another key.
        case badEndpoint
        /// The token is none, of another project, or ended.
        case unknownToken
        /// The secret that came with the token is not the one that was given out with it.
        case wrongSecret
        case unavailable
    }

    private let store: any RegistrationStore
    private let clock: any WallClock
    private let sealing: Sealing
    private let tokens: RegistrationTokenCodec
    private let endpoints: BrowserEndpoints
    private let webPushKeys: (any WebPushKeys)?

    /// - Parameter webPushKeys: Without them, endpoints that Google's service gave out are refused.
    public init(
        store: any RegistrationStore, clock: any WallClock, sealing: Sealing, webPushKeys: (any WebPushKeys)? = nil
    ) {
        self.webPushKeys = webPushKeys
        self.store = store
        self.clock = clock
        self.sealing = sealing
        tokens = RegistrationTokenCodec(sealing: sealing)
        endpoints = BrowserEndpoints(registrations: store, tokens: tokens)
    }

    /// Registers a subscription; the same endpoint has the same token.
    public func subscribe(
        _ address: BrowserAddress, in project: ProjectNumber
    ) async throws(Refusal) -> (registration: Registration, token: String) {
        try await register(address, as: instanceID(of: address.endpoint, in: project), in: project)
    }

    /// Gives a token another subscription. The token stays.
    public func renew(
        _ token: String, _ address: BrowserAddress, in project: ProjectNumber
    ) async throws(Refusal) -> (registration: Registration, token: String) {
        let registration = try registration(of: token, in: project)
        return try await register(address, as: registration.fid, in: project)
    }

    /// Ends the registration of a token.
    public func unsubscribe(_ token: String, in project: ProjectNumber) async throws(Refusal) {
        let registration = try registration(of: token, in: project)
        do {
            try await store.end(registration.id, .deletedByApp, at: clock.now())
        } catch {
            throw .unavailable
        }
    }

    /// The live registration of a token that this type gave out.
    public func registration(of token: String, in project: ProjectNumber) throws(Refusal) -> Registration {
        guard let content = tokens.decode(token), content.project == project else { throw .unknownToken }
        let found: Registration?
        do {
            found = try store.registration(content.registration)
        } catch {
            throw .unavailable
        }
        guard let found, found.ending == nil, found.tokenNonce == content.nonce, case .web = found.channel else {
            throw .unknownToken
        }
        return found
    }

    // MARK: The secret of a token

    /// What the browser shows later to change or end the registration. It follows from the token.
    public func secret(of token: String) -> String {
        Base64URL.encode(sealing.derived(for: "push set").seal(Array(token.utf8)).prefix(24))
    }

    /// - Throws: `wrongSecret`.
    public func check(_ secret: String, of token: String) throws(Refusal) {
        guard sealing.isEqual(Array(secret.utf8), Array(self.secret(of: token).utf8)) else { throw .wrongSecret }
    }

    // MARK: Registering

    private func register(
        _ address: BrowserAddress, as instance: String, in project: ProjectNumber
    ) async throws(Refusal) -> (registration: Registration, token: String) {
        try check(address, in: project)
        let draft = RegistrationDraft(
            project: project, app: nil, fid: instance, bundleID: "",
            channel: .web(
                endpoint: address.endpoint, p256dh: address.p256dh, auth: address.auth,
                applicationKey: address.applicationKey),
            isFIDMode: false, androidID: 0, sender: project.description, time: clock.now(),
            freshNonce: sealing.randomInteger())
        do {
            let registration = try await store.register(draft)
            return (registration, tokens.token(of: registration))
        } catch {
            throw .unavailable
        }
    }

    private func check(_ address: BrowserAddress, in project: ProjectNumber) throws(Refusal) {
        do {
            try endpoints.check(
                address.endpoint, applicationKey: address.applicationKey, in: project, keys: webPushKeys)
        } catch {
            if case .unavailable = error { throw .unavailable }
            throw .badEndpoint
        }
    }

    /// The old Instance ID form: 8 bytes, the first nibble 0111. It follows from the endpoint, so that a repeated call
    /// makes nothing new.
    private func instanceID(of endpoint: String, in project: ProjectNumber) -> String {
        let text = "\(project)\u{0}\(endpoint)"
        let bytes = sealing.derived(for: "browser subscription").seal(Array(text.utf8)).prefix(8)
        return Base64URL.encode([(bytes.first ?? 0) & 0x0f | 0x70] + bytes.dropFirst())
    }
}
