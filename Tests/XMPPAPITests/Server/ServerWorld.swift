import AppServerTesting
import EventLoop
import NetTesting
import PushCore
import PushModel
import SQLiteStore
import Telemetry
import Testing
import Timekeeping
import Transport

@testable import XMPPAPI

/// A connection server with TLS over a real store, and what is needed to talk to it.
final class ServerWorld: Sendable {
    let app: AppServerWorld
    let loops: EventLoopGroup
    let closings: HeldClosings
    let dispatcher: UpstreamDispatcher
    let server: CCSServer
    let port: UInt16

    /// - Parameter holdsClosings: Messages that were acknowledged stay open in the store until `closings` are released.
    init(_ configuration: CCSConfiguration = CCSConfiguration(), holdsClosings: Bool = false) async throws {
        app = try await AppServerWorld()
        loops = try EventLoopGroup(count: 2)
        closings = HeldClosings(app.store)
        if !holdsClosings { closings.release() }
        dispatcher = UpstreamDispatcher(store: closings, clock: app.clock, delays: LoopDelays(loop: loops.loops[0]))
        server = CCSServer(
            configuration, loops: loops.loops,
            services: CCSServices(
                pipeline: app.pipeline, senders: app.senders, upstream: dispatcher, registrations: app.store,
                groups: app.store, clock: app.clock, sealing: app.sealing), metrics: MetricRegistry(),
            logger: .silent)
        var options = ListenerOptions()
        options.tls = try TLSServerContext(
            identity: TLSIdentity(certificateChainPEM: TestCertificates.chain, privateKeyPEM: TestCertificates.key))
        port = try server.listen(options).port
    }

    /// Runs a test and ends the server.
    static func run(
        _ configuration: CCSConfiguration = CCSConfiguration(), holdsClosings: Bool = false,
        _ body: (ServerWorld) async throws -> Void
    ) async throws {
        let world = try await ServerWorld(configuration, holdsClosings: holdsClosings)
        do {
            try await body(world)
        } catch {
            world.loops.shutDown()
            throw error
        }
        world.loops.shutDown()
    }

    func client() async throws -> AppServerClient {
        try await AppServerClient(port: port, on: loops.next())
    }

    /// An app server of the first project, logged in.
    func appServer() async throws -> AppServerClient {
        let client = try await client()
        try await client.logIn(AppServerWorld.serverKey, name: app.project.number.description)
        return client
    }

    /// Stores an upstream message and sends it on its way.
    @discardableResult
    func upstream(
        _ id: String, text: String = "1", kind: UpstreamDraft.Kind = .message
    ) async throws -> UpstreamID? {
        let draft = UpstreamDraft(
            project: app.project.number, kind: kind, from: kind == .receipt ? "gcm.googleapis.com" : "token",
            category: AppServerWorld.bundleID, messageID: id, data: [.init(key: "a", value: text)],
            timeToLiveSeconds: 3_600, expiresAt: app.clock.now().adding(seconds: 3_600))
        let message = try await app.store.acceptUpstream(draft, from: nil)
        if let message { dispatcher.accepted(message) }
        return message?.id
    }

    /// The text of what was delivered, in order.
    var deliveredTitles: [String?] { app.platform.submitted.map { $0.message.message.notification?.title } }
}

struct LoopDelays: DelayScheduler {
    let loop: EventLoop

    func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void) {
        loop.execute { loop.schedule(after: .milliseconds(milliseconds)) { action() } }
    }
}
