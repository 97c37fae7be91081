public import HTTPSemantics
public import PushCore
public import PushModel

/// Decides for which project an app server of the older dialects speaks: by its server key, or by an access token that
/// is announced as one.
///
/// Source: the legacy HTTP protocol (`Authorization: key=…`) and the Instance ID API (`access_token_auth: true`).
public struct SenderAuthentication: Sendable {
    /// Longer keys are refused before they are hashed.
    public static let maximumKeyBytes = 1024

    private let directory: any ProjectDirectory
    private let verifier: any AccessTokenVerifier
    private let digest: @Sendable ([UInt8]) -> [UInt8]

    /// - Parameter digest: SHA-256. The store knows keys by their hash only, so a look-up tells nothing about a key.
    public init(
        directory: any ProjectDirectory, verifier: any AccessTokenVerifier,
        digest: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        self.directory = directory
        self.verifier = verifier
        self.digest = digest
    }

    /// The project of the caller; `nil` when nothing in the request proves one.
    public func project(of head: HTTPRequestHead) -> Project? {
        if let key = Self.serverKey(in: head) { return project(serverKey: key) }
        guard Self.announcesAccessToken(head),
            let token = RequestCredentials.authorization(in: head, scheme: "bearer")
        else { return nil }
        return project(accessToken: token)
    }

    /// Whether the project is still there.
    public func isProject(_ number: ProjectNumber) -> Bool {
        directory.project(number: number) != nil
    }

    /// The project of a server key.
    public func project(serverKey key: String) -> Project? {
        guard key.utf8.count <= Self.maximumKeyBytes else { return nil }
        return directory.project(serverKeyHash: digest(Array(key.utf8)))
    }

    /// The project of an access token that allows sending.
    public func project(accessToken token: String) -> Project? {
        guard let caller = try? verifier.caller(presenting: token), !caller.scopes.isDisjoint(with: .messaging) else {
            return nil
        }
        return directory.project(number: caller.account.project)
    }

    /// What follows `key=`. Spaces around the sign and the key do no harm; quotes belong to the key.
    static func serverKey(in head: HTTPRequestHead) -> String? {
        guard let value = head.fields["authorization"]?.trimmingSpaces(), let sign = value.firstIndex(of: "="),
            value[..<sign].trimmingSpaces().lowercased() == "key"
        else { return nil }
        let key = value[sign...].dropFirst().trimmingSpaces()
        return key.isEmpty ? nil : key
    }

    private static func announcesAccessToken(_ head: HTTPRequestHead) -> Bool {
        head.fields["access_token_auth"]?.trimmingSpaces().lowercased() == "true"
    }
}

extension HTTPResponse {
    /// What the older dialects answer when nobody vouches for the caller: a page, never JSON.
    public static var unauthorizedPage: HTTPResponse {
        let page = """
            <HTML>
            <HEAD>
            <TITLE>Unauthorized</TITLE>
            </HEAD>
            <BODY BGCOLOR="#FFFFFF" TEXT="#000000">
            <H1>Unauthorized</H1>
            <H2>Error 401</H2>
            </BODY>
            </HTML>

            """
        return HTTPResponse(status: 401, contentType: "text/html; charset=UTF-8", text: page)
    }
}
