public import GoogleAPI
import HTTPSemantics
public import PushCore
import PushModel
public import Timekeeping
import WebPushWire

/// The push service of this server's own browsers: `POST` to an endpoint hands an encrypted message on.
///
/// Sources: RFC 8030 §5, RFC 8292; the endpoints are those that Chromium builds from its registration tokens.
public struct PushServiceRoutes: Sendable {
    /// What every push service must take, and no more. Source: RFC 8030 §7.2.
    static let maximumBodyBytes = 4_096
    private static let patterns: [PathPattern] = ["/fcm/send/{token}", "/wp/{token}", "/preprod/wp/{token}"]

    private let endpoints: BrowserEndpoints
    private let pipeline: SendPipeline
    private let directory: any ProjectDirectory
    private let senders: SenderAuthentication
    private let origins: PushServiceOrigins
    private let clock: any WallClock

    /// - Parameters:
    ///   - senders: For browsers that subscribed with a project's sender id: their senders show a server key.
    ///   - origins: What `aud` of a signature may say.
    public init(
        endpoints: BrowserEndpoints, pipeline: SendPipeline, directory: any ProjectDirectory,
        senders: SenderAuthentication, origins: PushServiceOrigins, clock: any WallClock
    ) {
        self.endpoints = endpoints
        self.pipeline = pipeline
        self.directory = directory
        self.senders = senders
        self.origins = origins
        self.clock = clock
    }

    public var router: Router {
        var router = Router()
        for pattern in Self.patterns {
            router.post(pattern, bodyLimitBytes: Self.maximumBodyBytes) { await answer($0) }
        }
        return router
    }

    private func answer(_ request: RoutedRequest) async -> HTTPResponse {
        do throws(PushRefusal) {
            let token = request[parameter: "token"]
            let browser = try browser(holding: token)
            let project = try sender(of: request.head, to: browser)
            let push = try PushRequest(request.request)
            let id = try await send(push, to: browser, token: token, in: project)
            return created(id, push, request.head)
        } catch {
            return error.response
        }
    }

    private func browser(holding token: String) throws(PushRefusal) -> Registration {
        do {
            if let browser = try endpoints.browser(holding: token) { return browser }
        } catch {
            throw .unavailable
        }
        throw endpoints.hasIssued(token) ? .ended : .unknownEndpoint
    }

    // MARK: Senders

    /// - Returns: The project that pays; `Project.none` for an application server that only has its key.
    private func sender(of head: HTTPRequestHead, to browser: Registration) throws(PushRefusal) -> Project {
        guard let key = browser.applicationKey else { return try project(of: head, to: browser) }
        let shown: VAPIDCredentials
        do throws(VAPIDError) {
            shown = try VAPIDCredentials(
                authorization: head.fields["authorization"], cryptoKey: head.fields["crypto-key"])
            try shown.verify(now: clock.now()) { origins.contains($0, reachedAs: head.authority) }
        } catch {
            throw PushRefusal(error)
        }
        guard shown.publicPoint == key else { throw .otherSender }
        return directory.project(number: browser.project) ?? .none
    }

    private func project(of head: HTTPRequestHead, to browser: Registration) throws(PushRefusal) -> Project {
        guard let project = senders.project(of: head) else { throw .notAuthorized }
        guard project.number == browser.project else { throw .otherSender }
        return project
    }

    // MARK: Acceptance

    private func send(
        _ push: PushRequest, to browser: Registration, token: String, in project: Project
    ) async throws(PushRefusal) -> MessageID {
        let content = EncryptedContent(
            body: push.content?.body ?? [], contentEncoding: push.content?.encoding.rawValue ?? "",
            cryptoKey: push.content?.cryptoKey, encryption: push.content?.encryption, from: browser.sender,
            topic: push.topic)
        do throws(SendError) {
            return try await pipeline.send(
                encrypted: content, priority: push.priority, timeToLive: push.timeToLive, to: browser, token: token,
                in: project)
        } catch {
            throw PushRefusal(error)
        }
    }

    /// Source: RFC 8030 §5 (`Location`), §5.2 (`TTL`, what was granted).
    private func created(_ id: MessageID, _ push: PushRequest, _ head: HTTPRequestHead) -> HTTPResponse {
        HTTPResponse(
            status: 201,
            fields: HTTPFields([
                ("location", "https://\(head.authority)/message/\(id)"), ("ttl", String(push.timeToLive.seconds)),
            ]))
    }
}
