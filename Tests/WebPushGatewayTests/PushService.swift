import Bytes
import Crypto
import EventLoop
import HTTPSemantics
import HTTPServer
import NetTesting
import PushCore
import PushModel
import Synchronization
import Timekeeping
import Transport
import WebPushWire

@testable import WebPushGateway

/// A push service of somebody else, a browser that subscribed there, and the gateway.
final class PushService: Sendable {
    private struct State {
        var requests: [HTTPRequest] = []
        var connections = 0
        var answer = HTTPResponse(status: 201, fields: HTTPFields([("location", "/message/1")]))
    }

    fileprivate struct Handler: HTTPHandler {
        let service: PushService

        func bodyLimitBytes(for head: HTTPRequestHead) -> Int { 10_000 }
        func respond(to request: HTTPRequest) async -> HTTPResponse { service.take(request) }
    }

    let browser: WebPushReceiver
    let project: Project
    let keys: any WebPushKeys
    let clock = ManualClock(Timestamp(seconds: 1_700_000_000))
    private let state = Mutex(State())
    private let listening = Mutex<(port: UInt16, gateway: WebPushGateway)?>(nil)

    init(projectID: String, imported: (any ImportedWebPushKeys)? = nil) throws {
        browser = try .generate()
        guard let id = ProjectID(projectID) else { throw StoreError.notFound("project") }
        project = Project(
            id: id, number: ProjectNumber(value: 123_456_789_012), displayName: "", createdAt: Timestamp(seconds: 0))
        keys = DerivedWebPushKeys(secret: Secret([1, 2, 3]), imported: imported)
    }

    fileprivate func begin(port: UInt16, _ gateway: WebPushGateway) {
        listening.withLock { $0 = (port, gateway) }
    }

    fileprivate func connected() {
        state.withLock { $0.connections += 1 }
    }

    private func take(_ request: HTTPRequest) -> HTTPResponse {
        state.withLock { state in
            state.requests.append(request)
            return state.answer
        }
    }

    var requests: [HTTPRequest] { state.withLock(\.requests) }
    var connections: Int { state.withLock(\.connections) }
    var port: UInt16 { listening.withLock { $0?.port ?? 0 } }

    func answer(_ status: Int, _ fields: [(String, String)], body: [UInt8] = []) {
        state.withLock { $0.answer = HTTPResponse(status: status, fields: HTTPFields(fields), body: body) }
    }

    func push(
        payload: String = "{}", urgency: String? = nil, topic: String? = nil, lifetimeSeconds: Int64 = 60
    ) -> BrowserPush {
        BrowserPush(
            payload: Array(payload.utf8), urgency: urgency, topic: topic,
            expiresAt: clock.now().adding(seconds: lifetimeSeconds), isOnlyForNow: false)
    }

    func address() -> BrowserAddress {
        BrowserAddress(
            endpoint: "https://127.0.0.1:\(port)/push/abc?x=1",
            p256dh: Base64URL.encode(browser.subscription.publicPoint),
            auth: Base64URL.encode(browser.subscription.authSecret), applicationKey: "")
    }

    func send(_ push: BrowserPush, endpoint: String? = nil) async -> GatewayAnswer {
        var address = address()
        if let endpoint { address.endpoint = endpoint }
        return await send(push, to: address)
    }

    func send(_ push: BrowserPush, to address: BrowserAddress) async -> GatewayAnswer {
        guard let gateway = listening.withLock({ $0?.gateway }) else { return .rejected(.badSubscription) }
        return await withCheckedContinuation { continuation in
            gateway.send(push, to: address, from: project.number) { continuation.resume(returning: $0) }
        }
    }
}

func withPushService(
    allowsLoopback: Bool = true, authority: [UInt8] = TestCertificates.authority, projectID: String = "sample-project",
    imported: (any ImportedWebPushKeys)? = nil, _ body: (PushService) async throws -> Void
) async throws {
    let group = try EventLoopGroup(count: 2)
    defer { group.shutDown() }
    let service = try PushService(projectID: projectID, imported: imported)
    let server = HTTPServer(loops: [group.loops[0]]) { _ in
        service.connected()
        return PushService.Handler(service: service)
    }
    var options = ListenerOptions()
    let identity = TLSIdentity(certificateChainPEM: TestCertificates.chain, privateKeyPEM: TestCertificates.key)
    options.tls = try TLSServerContext(identity: identity, protocols: HTTPServer.protocols)
    let listener = try server.listen(options)
    var settings = WebPushGatewayConfiguration()
    settings.allowsLoopback = allowsLoopback
    settings.trust = .authorities(pem: authority)
    settings.subject = "mailto:ops@example.com"
    let gateway = try WebPushGateway(
        keys: service.keys, directory: OneProject(project: service.project), loop: group.loops[1], clock: service.clock,
        configuration: settings, isOwnEndpoint: { $0.hasSuffix("/own") })
    service.begin(port: listener.port, gateway)
    try await body(service)
    gateway.shutDown()
}

struct OneProject: ProjectDirectory {
    let project: Project

    func project(id: ProjectID) -> Project? { id == project.id ? project : nil }
    func project(number: ProjectNumber) -> Project? { number == project.number ? project : nil }
    func app(id: AppID) -> App? { nil }
    func app(apiKey: String) -> App? { nil }
    func apps(of project: ProjectNumber) -> [App] { [] }
    func serviceAccounts(email: String) -> [ServiceAccount] { [] }
    func serviceAccount(serial: Int64) -> ServiceAccount? { nil }
    func project(serverKeyHash hash: [UInt8]) -> Project? { nil }
    func apnsCredentials(of project: ProjectNumber) -> [APNsCredential] { [] }
}

/// Pairs that were imported for one project.
struct ImportedPairs: ImportedWebPushKeys {
    var pairs: [P256PrivateKey]
    var owner = ProjectNumber(value: 123_456_789_012)

    func importedWebPushKeys(of project: ProjectNumber) -> [[UInt8]] {
        project == owner ? pairs.map(\.publicKey.x963) : []
    }

    func importedWebPushKey(of project: ProjectNumber, for publicKey: [UInt8]) -> Secret<String>? {
        guard project == owner else { return nil }
        return pairs.first { $0.publicKey.x963 == publicKey }.map { Secret($0.pem) }
    }

    func importWebPushKey(
        _ privateKey: Secret<String>, publicKey: [UInt8], to project: ProjectNumber
    ) async throws(StoreError) {}
}
