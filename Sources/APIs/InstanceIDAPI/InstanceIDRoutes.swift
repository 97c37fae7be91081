public import GoogleAPI
import HTTPSemantics
public import PushCore
import PushModel

/// The Instance ID server API: what is known of an app instance, its topics, and the import of APNs tokens.
///
/// Callers prove themselves with a server key, or with an access token that `access_token_auth: true` announces. Source:
/// Instance ID server reference.
public struct InstanceIDRoutes: Sendable {
    /// A thousand tokens of four thousand characters.
    private static let batchLimitBytes = 5 << 20

    private let senders: SenderAuthentication
    private let information: InstanceInformation
    private let topics: InstanceTopics
    private let tokenImport: APNsTokenImport

    public init(
        senders: SenderAuthentication, subscriptions: TopicSubscriptions, importer: APNsTokenImporter
    ) {
        self.senders = senders
        information = InstanceInformation(subscriptions: subscriptions)
        topics = InstanceTopics(subscriptions: subscriptions)
        tokenImport = APNsTokenImport(importer: importer)
    }

    public func add(to router: inout Router) {
        router.get("/iid/info/{token}") { request in
            answer(request) { information.answer($0, in: $1) }
        }
        add(to: &router, "POST", "/iid/v1/{token}/rel/topics/{topic}") { await topics.subscribe($0, in: $1) }
        add(to: &router, "DELETE", "/iid/v1/{token}/rel/topics/{topic}") { await topics.unsubscribe($0, in: $1) }
        add(to: &router, "POST", "/iid/v1:batchAdd") { await topics.subscribeMany($0, in: $1) }
        add(to: &router, "POST", "/iid/v1:batchRemove") { await topics.unsubscribeMany($0, in: $1) }
        add(to: &router, "POST", "/iid/v1:batchImport") { await tokenImport.answer($0, in: $1) }
    }

    private func add(
        to router: inout Router, _ method: String, _ pattern: PathPattern,
        _ action: @escaping @Sendable (RoutedRequest, Project) async -> HTTPResponse
    ) {
        let route = Route(method, pattern, bodyLimitBytes: Self.batchLimitBytes) { request in
            guard let project = senders.project(of: request.head) else { return .unauthorizedPage }
            return await action(request, project)
        }
        router.add(route)
    }

    private func answer(
        _ request: RoutedRequest, _ action: (RoutedRequest, Project) -> HTTPResponse
    ) -> HTTPResponse {
        guard let project = senders.project(of: request.head) else { return .unauthorizedPage }
        return action(request, project)
    }
}
