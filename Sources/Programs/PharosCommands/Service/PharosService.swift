import APNsGateway
import Bytes
import Crypto
import EventLoop
import GoogleAPI
import HTTPSemantics
import HTTPServer
import InstallationsAPI
import InstanceIDAPI
import LegacyAPI
import OAuthAPI
import PushCore
import PushModel
import RegistrationAPI
import SQLiteStore
import SendAPI
import Telemetry
import Timekeeping
import Transport

/// One running service: the store, the core, the gateway and the HTTP APIs, put together.
final class PharosService: Sendable {
    let store: SQLiteStore
    let loops: EventLoopGroup
    let clock: any WallClock
    let authority: LocalAuthority
    let metrics: MetricRegistry
    let sealing: Sealing
    let tokens: RegistrationTokenCodec
    let gateway: APNsGateway
    let dispatcher: Dispatcher
    let fanOut: FanOut
    let live = LiveDevices()
    let inboxes: DeviceInboxes
    private let sweeper: InboxSweeper
    let logger: Logger
    private let settings: SealedSettings
    private let pipeline: SendPipeline
    private let readiness = Readiness()
    private let server = LateValue<HTTPServer>()

    /// Settings are read-only from here on.
    private struct SealedSettings: @unchecked Sendable {
        // What makes it Sendable: nobody changes the value after `init`.
        let value: ServiceSettings
    }

    /// Where the service answers.
    struct Addresses: Sendable {
        var http: String?
        var https: String?
        var httpsPort: UInt16?
    }

    /// Opens the store and takes up what a former process left.
    init(_ settings: ServiceSettings) throws(CommandFailure) {
        self.settings = SealedSettings(value: settings)
        clock = settings.clock
        logger = settings.logger
        metrics = MetricRegistry()
        ProcessMetrics.register(in: metrics)
        do {
            store = try SQLiteStore(
                DataDirectory(path: settings.dataDirectory), role: .server,
                options: .init(clock: settings.clock, hash: { SHA256.hash($0) }))
            loops = try EventLoopGroup(count: settings.loopCount)
        } catch let error as StoreError {
            throw .store(error)
        } catch {
            throw .failed("No event loop could be made: \(error).", nextStep: "Raise the limit: ulimit -n 20000")
        }
        authority = try LocalAuthority(dataDirectory: settings.dataDirectory, now: settings.clock.now())
        let sealing = Sealing.openSSL(secret: store.serverSecret)
        self.sealing = sealing
        tokens = RegistrationTokenCodec(sealing: sealing)
        gateway = APNsGateway(
            directory: store, loops: loops.loops, clock: clock, configuration: settings.gateway, metrics: metrics,
            logger: logger.named("apns"))
        let scheduler = LoopScheduler(loops: loops)
        let observers = [DeliveryMetrics(metrics)] + settings.observers
        let pushIDs = sealing.derived(for: "apns-id")
        dispatcher = Dispatcher(
            store: store, registrations: store, directory: store, gateway: gateway, scheduler: scheduler,
            clock: clock, pushIDs: ApplePushIDs { pushIDs.seal($0) }, observers: observers)
        let observer = DeliveryObservers(all: observers)
        let planner = DeliveryPlanner(live: live, registrations: store, tokens: tokens)
        inboxes = DeviceInboxes(
            store: store, translator: DeviceMessageTranslator(planner: planner, seal: BrowserEncryption.seal),
            gateways: dispatcher, observer: observer, clock: clock, tokens: tokens, receipts: { _ in })
        let deliveries = DeliveryDistributor(gateways: dispatcher, live: live, inboxes: inboxes)
        sweeper = InboxSweeper(store: store, observer: observer, delays: scheduler, clock: clock)
        fanOut = FanOut(
            store: store, topics: store, planner: planner, deliveries: deliveries, delays: scheduler, clock: clock,
            observers: observers)
        do {
            pipeline = SendPipeline(
                validator: MessageValidator(limits: settings.limits),
                resolver: RecipientResolver(
                    lookup: RegistrationLookup(registrations: store, tokens: tokens), groups: store,
                    groupKeys: DeviceGroupKeyCodec(sealing: sealing)),
                translator: ApplePushTranslator(silentUrgency: .refuse), planner: planner, store: store,
                deliveries: deliveries, fanOuts: fanOut,
                ids: MessageIDSource(clock: clock, after: try store.largestMessageID()), clock: clock,
                delays: scheduler, observer: observer,
                quota: settings.messagesPerMinute.map { SendQuota(messagesPerMinute: $0, clock: settings.clock) },
                faults: settings.faults, answerPatienceMilliseconds: settings.answerPatienceMilliseconds)
            try dispatcher.resume()
            try fanOut.resume()
            sweeper.start()
        } catch {
            throw .store(error)
        }
    }

    /// Opens the listeners.
    /// - Parameter extra: Further routes: the emulator's.
    func start(extra: Router?) throws(CommandFailure) -> Addresses {
        let settings = settings.value
        let router = LateValue<Router>()
        let server = HTTPServer(loops: loops.loops, metrics: ServiceMetrics(metrics)) { _ in
            router.value ?? Router()
        }
        self.server.set(server)
        var addresses = Addresses()
        if let address = settings.listenHTTP {
            addresses.http =
                "http://" + address.text(port: try listen(server, address, option: "listen-http", tls: nil))
        }
        if let address = settings.listenHTTPS {
            let port = try listen(server, address, option: "listen-https", tls: try httpsIdentity())
            addresses.https = "https://" + address.text(port: port)
            addresses.httpsPort = port
        }
        router.set(makeRouter(addresses: addresses, extra: extra))
        return addresses
    }

    /// The certificate that the settings give, else one of the local CA.
    private func httpsIdentity() throws(CommandFailure) -> TLSIdentity {
        if let given = settings.value.tlsIdentity { return given }
        return try authority.identity(names: LocalAuthority.serverNames, now: clock.now())
    }

    private func listen(
        _ server: HTTPServer, _ address: ListenAddress, option: String, tls: TLSIdentity?
    ) throws(CommandFailure) -> UInt16 {
        var options = ListenerOptions()
        options.address = address.host
        options.port = address.port
        do throws(TransportError) {
            if let tls {
                options.tls = try TLSServerContext(identity: tls, protocols: HTTPServer.protocols, readAhead: true)
            }
            return try server.listen(options).port
        } catch {
            throw .failed(
                "Cannot listen on \(address.text(port: address.port)): \(error).",
                nextStep: "Choose another address with --\(option) HOST:PORT, or 0 as port for any free one.")
        }
    }

    private func makeRouter(addresses: Addresses, extra: Router?) -> Router {
        let audiences = OAuthAudiences(serverURLs: [addresses.http, addresses.https].compactMap { $0 })
        let endpoint = TokenEndpoint(
            secret: Secret(store.serverSecret), directory: store, clock: clock, audiences: audiences)
        var router = Router()
        endpoint.addRoutes(to: &router)
        let authentication = CallerAuthentication(verifier: endpoint.accessTokens)
        SendRoutes(pipeline: pipeline, projects: store, authentication: authentication).add(to: &router)
        MessageRoutes(messages: store, projects: store, authentication: authentication).add(to: &router)
        let lookup = RegistrationLookup(registrations: store, tokens: tokens)
        let subscriptions = TopicSubscriptions(
            store: store, registrations: lookup, clock: clock,
            quota: settings.value.topicChangesPerSecond.map { TopicChangeQuota(changesPerSecond: $0, clock: clock) })
        let senders = SenderAuthentication(
            directory: store, verifier: endpoint.accessTokens, digest: sealing.digest)
        addSenderRoutes(to: &router, senders, authentication, lookup, subscriptions)
        let installations = InstallationService(store: store, clock: clock, sealing: sealing)
        router.mount(InstallationRoutes(installations: installations, directory: store).router)
        router.mount(
            DeviceRoutes.router(
                checkIn: DeviceCheckIn(store: store, clock: clock, sealing: sealing),
                classic: ClassicRegistrar(
                    store: store, directory: store, installations: installations, clock: clock, sealing: sealing),
                instances: InstanceRegistrar(
                    store: store, directory: store, installations: installations, clock: clock, sealing: sealing),
                topics: DeviceTopics(store: store, tokens: tokens, subscriptions: subscriptions),
                subscriptions: subscriptions, directory: store, clock: clock,
                registered: { [dispatcher] in dispatcher.registrationChanged($0.id) }))
        router.mount(
            HealthRoutes(
                metrics: metrics, readiness: readiness, hasPublicMetrics: settings.value.hasPublicMetrics
            ).router)
        if let extra { router.mount(extra) }
        return router
    }

    /// The doors of app servers beside HTTP v1: the legacy protocol, device groups, Instance ID, topic subscriptions.
    private func addSenderRoutes(
        to router: inout Router, _ senders: SenderAuthentication, _ authentication: CallerAuthentication,
        _ lookup: RegistrationLookup, _ subscriptions: TopicSubscriptions
    ) {
        LegacySendRoutes(
            pipeline: pipeline, senders: senders, registrations: store, groups: store, clock: clock, sealing: sealing
        ).add(to: &router)
        DeviceGroupRoutes(
            groups: DeviceGroups(
                store: store, registrations: lookup, keys: DeviceGroupKeyCodec(sealing: sealing), clock: clock),
            senders: senders
        ).add(to: &router)
        InstanceIDRoutes(
            senders: senders, subscriptions: subscriptions,
            importer: APNsTokenImporter(
                store: store, known: store, directory: store, clock: clock, sealing: sealing,
                registered: { [dispatcher] in dispatcher.registrationChanged($0.id) })
        ).add(to: &router)
        InstanceDeletionRoute(store: store, projects: store, authentication: authentication, clock: clock)
            .add(to: &router)
        TopicSubscriptionRoutes(subscriptions: subscriptions, projects: store, authentication: authentication)
            .add(to: &router)
    }

    /// Ends gracefully: takes no more requests, finishes what is in flight, closes the store.
    func stop() async {
        readiness.drain()
        await server.value?.drain(deadline: .seconds(10))
        sweeper.stop()
        await fanOut.drain()
        await dispatcher.drain()
        await gateway.shutDown()
        store.close()
        loops.shutDown()
    }
}

extension CommandFailure {
    /// The store could not be used; its text says what to do.
    static func store(_ error: StoreError) -> CommandFailure {
        switch error {
        case .conflict(let text), .notFound(let text):
            .failed(text, nextStep: "See: pharos --help")
        case .unavailable(let text):
            .failed("The store cannot be used. \(text)", nextStep: "Run: pharos doctor")
        }
    }
}
