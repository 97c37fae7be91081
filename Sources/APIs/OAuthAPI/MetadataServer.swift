public import GoogleAPI
public import HTTPSemantics
internal import JSON
public import PushModel

/// The part of Google Cloud's metadata server that Application Default Credentials use: for the emulator only, because
/// it gives tokens to whoever asks on this machine.
///
/// Source: Google Cloud, "About VM metadata".
public struct MetadataServer: Sendable {
    /// Whose tokens it gives.
    public struct Identity: Sendable {
        public var project: Project
        public var account: ServiceAccount

        public init(project: Project, account: ServiceAccount) {
            self.project = project
            self.account = account
        }
    }

    private let accessTokens: AccessTokens
    private let identity: @Sendable () -> Identity?

    /// - Parameter identity: Asked on each request, because the emulator's project can be reset.
    public init(accessTokens: AccessTokens, identity: @escaping @Sendable () -> Identity?) {
        self.accessTokens = accessTokens
        self.identity = identity
    }

    /// The answer to the probe for `GET /`, or `nil` when the request is not one. Whoever owns that path asks first.
    public static func probeAnswer(to head: HTTPRequestHead) -> HTTPResponse? {
        guard isMetadataRequest(head) else { return nil }
        return answer("computeMetadata/\n")
    }

    public func addRoutes(to router: inout Router) {
        let root = "/computeMetadata/v1"
        let account = "\(root)/instance/service-accounts/{account}"
        add("\(root)/project/project-id", to: &router) { Self.answer($0.project.id.text) }
        add("\(root)/project/numeric-project-id", to: &router) { Self.answer($0.project.number.description) }
        add("\(root)/universe/universe-domain", to: &router) { _ in Self.answer("googleapis.com") }
        add("\(root)/instance/service-accounts[/]", to: &router) { Self.answer("default/\n\($0.account.email)/\n") }
        add("\(account)[/]", to: &router) { Self.answer(json: Self.description(of: $0.account)) }
        add("\(account)/email", to: &router) { Self.answer($0.account.email) }
        add("\(account)/scopes", to: &router) { _ in
            Self.answer(OAuthScopes.messaging.urls.map { $0 + "\n" }.joined())
        }
        addWithCall("\(account)/token", to: &router) { identity, call in token(of: identity.account, for: call) }
    }

    private func token(of account: ServiceAccount, for call: RoutedRequest) -> HTTPResponse {
        let asked = OAuthScopes(list: call.queryValue("scopes") ?? "")
        let issued = accessTokens.issue(to: account, scopes: asked.isEmpty ? [.cloudPlatform] : asked)
        return Self.answer(json: [
            "access_token": .string(issued.text), "expires_in": .integer(issued.expiresInSeconds),
            "token_type": "Bearer",
        ])
    }

    private static func description(of account: ServiceAccount) -> JSONValue {
        [
            "aliases": ["default"], "email": .string(account.email),
            "scopes": .array(OAuthScopes.messaging.urls.map { .string($0) }),
        ]
    }

    private func add(
        _ path: String, to router: inout Router, answer: @escaping @Sendable (Identity) -> HTTPResponse
    ) {
        addWithCall(path, to: &router) { identity, _ in answer(identity) }
    }

    private func addWithCall(
        _ path: String, to router: inout Router,
        answer: @escaping @Sendable (Identity, RoutedRequest) -> HTTPResponse
    ) {
        router.get(PathPattern(path)) { call in
            guard Self.isMetadataRequest(call.head) else {
                return HTTPResponse(errorPage: 403, "Forbidden", "The field Metadata-Flavor: Google is missing.")
            }
            guard let identity = identity(), Self.isAccount(call[parameter: "account"], of: identity) else {
                return HTTPResponse(errorPage: 404, "Not Found", "There is no such account.")
            }
            return answer(identity, call)
        }
    }

    private static func isAccount(_ name: String, of identity: Identity) -> Bool {
        ["", "default", identity.account.email].contains(name)
    }

    /// A page in a browser cannot set the field, and a proxy that forwards foreign requests adds the other one.
    private static func isMetadataRequest(_ head: HTTPRequestHead) -> Bool {
        head.fields["metadata-flavor"] == "Google" && head.fields["x-forwarded-for"] == nil
    }

    private static func answer(_ text: String) -> HTTPResponse {
        marked(HTTPResponse(status: 200, contentType: "application/text", text: text))
    }

    private static func answer(json: JSONValue) -> HTTPResponse {
        marked(
            HTTPResponse(
                status: 200, fields: HTTPFields([("content-type", "application/json")]), body: json.encoded))
    }

    private static func marked(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields["metadata-flavor"] = "Google"
        response.fields["server"] = "Metadata Server for VM"
        return response
    }
}
