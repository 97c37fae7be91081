import Bytes
import Crypto
public import EventLoop
import HTTPClient
import HTTPSemantics
public import PushCore
public import PushModel
public import Telemetry
public import Timekeeping
public import Transport
import WebPushWire

/// Sends pushes to browsers whose push service is not this one: encrypted for the browser, signed by the project.
///
/// Endpoints come from strangers, so each connection goes only to an address that the guard allows, redirections are not
/// followed, and answers are bounded. Pushes of `demo-` projects stay on this machine. Sources: RFC 8030, 8188, 8291,
/// 8292.
public final class WebPushGateway: BrowserGateway {
    /// No push service says more than a few lines.
    private static let maximumResponseBytes = 16_384
    private static let idleLimit: Duration = .seconds(60)

    private let directory: any ProjectDirectory
    private let loop: EventLoop
    private let clock: any WallClock
    private let signatures: Signatures
    private let sealer: WebPushSealer
    private let isOwnEndpoint: @Sendable (String) -> Bool
    private let measures: WebPushMeasures
    private let logger: Logger
    private let client: HTTPClient
    /// For projects that never leave the machine.
    private let localClient: HTTPClient

    /// - Parameters:
    ///   - loop: Where the connections live and contents are encrypted.
    ///   - isOwnEndpoint: Whether this service gave an endpoint out itself. A push to one comes here only when its browser
    ///     is gone, and must not go to whoever has the host that stands in it.
    /// - Throws: When the configured authorities cannot be read.
    public init(
        keys: any WebPushKeys, directory: any ProjectDirectory, loop: EventLoop, clock: any WallClock,
        configuration: WebPushGatewayConfiguration = .init(),
        isOwnEndpoint: @escaping @Sendable (String) -> Bool = { _ in false },
        metrics: MetricRegistry = MetricRegistry(),
        logger: Logger = .silent
    ) throws(TransportError) {
        self.directory = directory
        self.loop = loop
        self.clock = clock
        self.logger = logger
        self.isOwnEndpoint = isOwnEndpoint
        sealer = WebPushSealer()
        signatures = Signatures(keys: keys, subject: configuration.subject, clock: clock)
        measures = WebPushMeasures(metrics)
        client = try Self.client(configuration, loop, configuration.allowsLoopback ? .globalAndLoopback : .global)
        localClient = try Self.client(configuration, loop, configuration.allowsLoopback ? .loopback : nil)
    }

    /// - Parameter reach: `nil` for nowhere.
    private static func client(
        _ configuration: WebPushGatewayConfiguration, _ loop: EventLoop, _ reach: AddressGuard.Reach?
    ) throws(TransportError) -> HTTPClient {
        var settings = HTTPClientConfiguration()
        settings.trust = configuration.trust
        settings.connectDeadline = configuration.connectDeadline
        settings.requestDeadline = configuration.requestDeadline
        settings.maximumConnectionsPerOrigin = configuration.connectionsPerService
        settings.maximumResponseBytes = maximumResponseBytes
        settings.idleLimit = idleLimit
        let addresses = reach.map { AddressGuard($0) }
        settings.allowsAddress = { addresses?.allows($0) ?? false }
        return try HTTPClient(settings, loop: loop)
    }

    public func send(
        _ push: BrowserPush, to address: BrowserAddress, from project: ProjectNumber,
        completion: @escaping @Sendable (GatewayAnswer) -> Void
    ) {
        // Owned by the delivery, which waits for the completion; the request's deadline bounds it.
        Task(executorPreference: loop) { [self] in
            completion(await answer(to: push, at: address, from: project))
        }
    }

    /// Closes all connections; pushes under way are to be tried again.
    public func shutDown() {
        client.shutDown()
        localClient.shutDown()
    }

    private func answer(
        to push: BrowserPush, at address: BrowserAddress, from project: ProjectNumber
    ) async -> GatewayAnswer {
        do throws(SendError) {
            let request = try request(for: push, to: address, from: project)
            let response = try await response(to: request, from: project)
            measures.answered(response.status)
            return GatewayAnswer(
                webPushStatus: response.status, location: response.fields["location"],
                retryAfterSeconds: response.fields["retry-after"].flatMap { Int64($0) })
        } catch {
            // Keeps the errors apart that trying again may cure.
            return error.kind == .unavailable ? .retry(afterMilliseconds: 0, error) : .rejected(error)
        }
    }

    private func response(
        to request: HTTPClientRequest, from project: ProjectNumber
    ) async throws(SendError) -> HTTPResponse {
        let isLocal = directory.project(number: project)?.id.isDemo ?? true
        do throws(HTTPClientError) {
            return try await (isLocal ? localClient : client).send(request)
        } catch .addressRefused {
            measures.addressesRefused.increment()
            logger.warning(
                "a push endpoint leads to an address that is not allowed",
                ["project": .string(project.description), "host": .string(request.url.host)])
            throw .badSubscription
        } catch {
            measures.failures.increment()
            logger.info(
                "a push service gave no answer",
                ["host": .string(request.url.host), "error": .string("\(error)")])
            throw .pushServiceUnavailable
        }
    }

    private func request(
        for push: BrowserPush, to address: BrowserAddress, from project: ProjectNumber
    ) throws(SendError) -> HTTPClientRequest {
        guard !isOwnEndpoint(address.endpoint) else { throw .unregistered }
        guard let endpoint = PushEndpoint(address.endpoint),
            let receiver = try? WebPushSubscription(p256dh: address.p256dh, auth: address.auth)
        else { throw .badSubscription }
        let authorization = try signatures.authorization(
            of: project, applicationKey: address.applicationKey, for: endpoint.origin)
        let content: EncryptedPushContent
        do {
            content = try sealer.seal(push.payload, for: receiver, as: .aes128gcm)
        } catch .plaintextTooLong {
            throw SendError(.messageTooBig, "Web push message is too big")
        } catch {
            throw SendError(.internalError, "The message could not be encrypted.")
        }
        let url = HTTPURL(isSecure: true, host: endpoint.host, port: endpoint.port, target: endpoint.target)
        return HTTPClientRequest(
            method: "POST", url: url, fields: fields(of: push, authorization: authorization), body: content.body)
    }

    /// Source: RFC 8030 §5.2 to §5.4, RFC 8291 §4.
    private func fields(of push: BrowserPush, authorization: String) -> HTTPFields {
        let left = push.isOnlyForNow ? 0 : max(0, push.expiresAt.seconds - clock.now().seconds)
        var fields = HTTPFields([
            ("ttl", String(left)), ("content-encoding", WebPushEncoding.aes128gcm.rawValue),
            ("content-type", "application/octet-stream"), ("authorization", authorization),
        ])
        if let urgency = push.urgency { fields.append("urgency", urgency) }
        if let topic = push.topic { fields.append("topic", topic) }
        return fields
    }
}

extension SendError {
    /// The browser's endpoint or keys are none, or lead to where this service does not connect.
    static let badSubscription = SendError(
        .invalidArgument, "The browser's subscription has no usable endpoint or keys.")
}
