import AppServerTesting
import GoogleAPI
import HTTPSemantics
import InstanceIDAPI
import JSON
import PushCore
import PushModel

/// The routes on app instances over a world.
struct InstanceDoor {
    let world: AppServerWorld
    let router: Router
    let subscriptions: TopicSubscriptions

    init(changesPerSecond: Int? = nil) async throws {
        let world = try await AppServerWorld()
        self.world = world
        subscriptions = TopicSubscriptions(
            store: world.store, registrations: world.lookup, clock: world.clock,
            quota: changesPerSecond.map { TopicChangeQuota(changesPerSecond: $0, clock: world.clock) })
        var router = Router()
        InstanceIDRoutes(
            senders: world.senders, subscriptions: subscriptions,
            importer: APNsTokenImporter(
                store: world.store, known: world.store, directory: world.store, clock: world.clock,
                sealing: world.sealing)
        ).add(to: &router)
        InstanceDeletionRoute(
            store: world.store, projects: world.store, authentication: world.authentication, clock: world.clock
        ).add(to: &router)
        TopicSubscriptionRoutes(
            subscriptions: subscriptions, projects: world.store, authentication: world.authentication
        ).add(to: &router)
        self.router = router
    }

    static let key = ("authorization", "key=" + AppServerWorld.serverKey)
    static let bearer = ("authorization", "Bearer kitchen")

    func call(_ method: String, _ target: String, _ body: String = "") async -> HTTPResponse {
        await router.call(method, target, fields: [Self.key], body: body)
    }

    /// A call with an access token, as HTTP v1 wants it.
    func callV1(_ method: String, _ target: String, _ body: String = "") async -> HTTPResponse {
        await router.call(method, target, fields: [Self.bearer], body: body)
    }

    func topics(of token: String) throws -> [String] {
        let registration = try subscriptions.registration(token: token, in: world.project.number)
        return try subscriptions.subscriptions(of: registration, limit: 3000).map(\.topic.text)
    }
}

extension HTTPResponse {
    var json: JSONObject { (try? JSONValue(parsing: body))?.object ?? [:] }
    var error: JSONObject { json["error"]?.object ?? [:] }

    /// The results of a batch in short: empty for success, else the error.
    var results: [String] {
        (json["results"]?.array ?? []).map { $0.object?.isEmpty == true ? "" : $0["error"]?.string ?? "?" }
    }
}
