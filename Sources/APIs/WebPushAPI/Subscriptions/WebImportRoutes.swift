public import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore
import PushModel
import WebPushWire

/// `/v1/web/iid`: an app server brings subscriptions that browsers made elsewhere and gets tokens for them.
///
/// Source: Instance ID API, "Import push subscriptions". Its errors are `{"error": "<code>"}`.
public struct WebImportRoutes: Sendable {
    private static let bodyLimitBytes = 16_384

    private let subscriber: BrowserSubscriber
    private let senders: SenderAuthentication

    public init(subscriber: BrowserSubscriber, senders: SenderAuthentication) {
        self.subscriber = subscriber
        self.senders = senders
    }

    public var router: Router {
        var router = Router()
        add(to: &router, "POST", "/v1/web/iid[/]", create)
        add(to: &router, "POST", "/v1/web/iid/{token}:refresh", refresh)
        add(to: &router, "DELETE", "/v1/web/iid/{token}", delete)
        return router
    }

    private func add(
        to router: inout Router, _ method: String, _ pattern: PathPattern,
        _ action:
            @escaping @Sendable (RoutedRequest, Project) async throws(BrowserSubscriber.Refusal) -> HTTPResponse
    ) {
        let route = Route(method, pattern, bodyLimitBytes: Self.bodyLimitBytes) { [senders] request in
            guard let project = senders.project(of: request.head) else { return .unauthorizedPage }
            do throws(BrowserSubscriber.Refusal) {
                return try await action(request, project)
            } catch {
                return Self.failure(error)
            }
        }
        router.add(route)
    }

    private func create(
        _ request: RoutedRequest, in project: Project
    ) async throws(BrowserSubscriber.Refusal) -> HTTPResponse {
        guard let address = Self.address(request) else { throw .badEndpoint }
        let token = try await subscriber.subscribe(address, in: project.number).token
        return HTTPResponse(json: ["token": .string(token)])
    }

    /// With a subscription the token goes there from now on; without one the call only asks whether the token lives.
    private func refresh(
        _ request: RoutedRequest, in project: Project
    ) async throws(BrowserSubscriber.Refusal) -> HTTPResponse {
        let token = request[parameter: "token"]
        guard !request.body.isEmpty, (try? JSONBody.object(of: request.request))?.isEmpty != true else {
            _ = try subscriber.registration(of: token, in: project.number)
            return HTTPResponse(json: [:])
        }
        guard let address = Self.address(request) else { throw .badEndpoint }
        _ = try await subscriber.renew(token, address, in: project.number)
        return HTTPResponse(json: [:])
    }

    private func delete(
        _ request: RoutedRequest, in project: Project
    ) async throws(BrowserSubscriber.Refusal) -> HTTPResponse {
        try await subscriber.unsubscribe(request[parameter: "token"], in: project.number)
        return HTTPResponse(json: [:])
    }

    /// The subscription as `JSON.stringify` writes it; the key that it was made with stands in `Crypto-Key`.
    private static func address(_ request: RoutedRequest) -> BrowserAddress? {
        guard let body = try? JSONBody.object(of: request.request) else { return nil }
        let key = request.head.fields["crypto-key"]
        let applicationKey = key.flatMap { ApplicationServerKey.inCryptoKey($0) }
        guard key == nil || applicationKey != nil else { return nil }
        return SubscriptionForm.address(
            endpoint: body["endpoint"]?.string, p256dh: body["keys"]?["p256dh"]?.string,
            auth: body["keys"]?["auth"]?.string, applicationKey: applicationKey)
    }

    private static func failure(_ refusal: BrowserSubscriber.Refusal) -> HTTPResponse {
        let (status, code) =
            switch refusal {
            case .badEndpoint: (400, "INVALID_ARGUMENT")
            case .unknownToken: (404, "NOT_FOUND")
            case .wrongSecret: (403, "PERMISSION_DENIED")
            case .unavailable: (503, "INTERNAL")
            }
        var response = HTTPResponse(status: status, json: ["error": .string(code)])
        if status == 503 { response.fields["retry-after"] = "30" }
        return response
    }
}
