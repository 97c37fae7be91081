import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
import SendAPI
import Timekeeping

/// The HTTP side of a world: its routes and those who may call them.
struct SendDoor: Sendable {
    static let path = "/v1/projects/demo-kitchen/messages:send"

    let world: SendWorld
    let router: Router

    init(_ world: SendWorld = SendWorld()) {
        self.world = world
        var router = Router()
        SendRoutes(
            pipeline: world.pipeline, projects: ListedProjects(),
            authentication: CallerAuthentication(verifier: NamedCallers())
        ).add(to: &router)
        self.router = router
    }

    func post(
        _ body: String, to path: String = path, token: String? = "kitchen", fields: [(String, String)] = []
    ) async -> HTTPResponse {
        await post(world.filled(body), to: path, token: token, fields: fields)
    }

    func post(
        _ body: [UInt8], to path: String = path, token: String? = "kitchen", fields: [(String, String)] = []
    ) async -> HTTPResponse {
        var head = HTTPRequestHead(method: "POST", target: path, authority: "fcm.googleapis.com")
        head.fields = HTTPFields(fields)
        if let token { head.fields.append("authorization", "Bearer \(token)") }
        return await router.respond(to: HTTPRequest(head: head, body: body))
    }
}

extension HTTPResponse {
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    var error: JSONValue { json["error"] ?? .null }
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// The two projects of the world, and nothing else.
struct ListedProjects: ProjectDirectory {
    private let list = [SendWorld.project, SendWorld.otherProject]

    func project(id: ProjectID) -> Project? { list.first { $0.id == id } }
    func project(number: ProjectNumber) -> Project? { list.first { $0.number == number } }
    func app(id: AppID) -> App? { nil }
    func app(apiKey: String) -> App? { nil }
    func apps(of project: ProjectNumber) -> [App] { [] }
    func serviceAccounts(email: String) -> [ServiceAccount] { [] }
    func serviceAccount(serial: Int64) -> ServiceAccount? { nil }
    func project(serverKeyHash hash: [UInt8]) -> Project? { nil }
    func apnsCredentials(of project: ProjectNumber) -> [APNsCredential] { [] }
}

/// Tokens that say whose they are.
struct NamedCallers: AccessTokenVerifier {
    func caller(presenting token: String) throws(AccessTokenError) -> Caller {
        switch token {
        case "kitchen": caller(SendWorld.project, .firebaseMessaging)
        case "kitchen-cloud": caller(SendWorld.project, .cloudPlatform)
        case "kitchen-other": caller(SendWorld.project, .others)
        case "garden": caller(SendWorld.otherProject, .firebaseMessaging)
        case "old": throw .expired
        default: throw .invalid
        }
    }

    private func caller(_ project: Project, _ scopes: OAuthScopes) -> Caller {
        let account = ServiceAccount(
            serial: 1, email: "sender@example.com", project: project.number, keyID: "k", publicKey: [], isEnabled: true)
        return Caller(account: account, scopes: scopes)
    }
}
