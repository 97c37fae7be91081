import Bytes
public import PushModel

/// The endpoints that this service gave to browsers: their URL ends in the token of the browser's own registration.
///
/// What stands before the token counts for nothing: builds of one browser use several host names, and a server that
/// stands in for Google's is reached under names of its own.
public struct BrowserEndpoints: Sendable {
    /// What an endpoint is.
    public enum Kind: Sendable, Equatable {
        /// Of another push service.
        case foreign
        /// Ours, and the browser holds it.
        case live(Registration)
        /// Ours, but no browser holds it any more.
        case dead
        /// It has the form of ours but not our seal: the same software gave it out, somewhere else.
        case sealedElsewhere
    }

    private let registrations: any RegistrationStore
    private let tokens: RegistrationTokenCodec

    public init(registrations: any RegistrationStore, tokens: RegistrationTokenCodec) {
        self.registrations = registrations
        self.tokens = tokens
    }

    /// - Parameter endpoint: A URL.
    public func kind(of endpoint: String) throws(StoreError) -> Kind {
        guard let token = Self.token(in: endpoint) else { return .foreign }
        if let browser = try browser(holding: token) { return .live(browser) }
        return hasIssued(token) ? .dead : .sealedElsewhere
    }

    /// Whether a web app's registration may name the endpoint, that is, whether anything sent there can arrive.
    ///
    /// - Parameters:
    ///   - applicationKey: What the browser subscribed with, base64url.
    ///   - keys: Who holds keys; an endpoint that Google's own service gave to a browser is good with such a key, because
    ///     pushes to it can be signed.
    func check(
        _ endpoint: String, applicationKey: String, in project: ProjectNumber, keys: (any WebPushKeys)?
    ) throws(EndpointRefusal) {
        let kind: Kind
        do {
            kind = try self.kind(of: endpoint)
        } catch {
            throw .unavailable("\(error)")
        }
        let isSecure = endpoint.lowercased().hasPrefix("https://")
        switch kind {
        case .foreign: guard isSecure else { throw .unknownEndpoint }
        case .dead: throw .unknownEndpoint
        case .sealedElsewhere:
            guard isSecure, let point = Base64URL.decode(applicationKey),
                keys?.privateKey(of: project, for: point) != nil
            else { throw .unknownEndpoint }
        case .live(let browser):
            guard browser.mayBeReached(with: applicationKey) else { throw .otherKey }
        }
    }

    enum EndpointRefusal: Error {
        case unknownEndpoint, otherKey
        case unavailable(String)
    }

    /// The live registration of a browser on the device channel; `nil` for every other token.
    public func browser(holding token: String) throws(StoreError) -> Registration? {
        guard let content = tokens.decode(token), let found = try registrations.registration(content.registration),
            found.ending == nil, found.tokenNonce == content.nonce, found.androidID != 0, case .device = found.channel
        else { return nil }
        return found
    }

    /// Whether a token was ever given out, dead or alive.
    public func hasIssued(_ token: String) -> Bool {
        tokens.decode(token) != nil
    }

    /// The last part of the path, when it has the form of a token. Some clients escape the colon.
    public static func token(in endpoint: String) -> String? {
        let path = endpoint.prefix { $0 != "?" }
        let last = String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
            .replacing("%3A", with: ":").replacing("%3a", with: ":")
        let tail = last.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
        return tail.hasPrefix("APA91b") ? last : nil
    }
}
