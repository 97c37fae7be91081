import APNsGateway
import Accounts
import Bytes
import Campaigns
import Crypto
import DeviceChannel
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
import Reports
import SQLiteStore
import SendAPI
import Telemetry
import Timekeeping
import Transport
import WebPushGateway
import XMPPAPI

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
    let webPushKeys: DerivedWebPushKeys
    let browsers: WebPushGateway
    let dispatcher: Dispatcher
    let fanOut: FanOut
    let live = LiveDevices()
    let inboxes: DeviceInboxes
    let deviceChannel: DeviceChannelServer
    let upstream: UpstreamDispatcher
    let observer: DeliveryObservers
    let tail: LiveTail
    private let sweeper: InboxSweeper
    private let registrationSweeper: RegistrationSweeper
    let logger: Logger
    let sealedSettings: SealedSettings
    let pipeline: SendPipeline
    let accounts: Accounts
    let campaigns: CampaignService
    private let campaignRunner: CampaignRunner
    let readiness = Readiness()
    let server = LateValue<HTTPServer>()
    let xmpp = LateValue<CCSServer>()

    /// Settings are read-only from here on.
    struct SealedSettings: @unchecked Sendable {
        // What makes it Sendable: nobody changes the value after `init`.
        let value: ServiceSettings
    }

    /// Where the service answers.
    struct Addresses: Sendable {
        var http: String?
        var https: String?
        var httpsPort: UInt16?
        /// `host:port`, as the configuration of apps names it.
        var device: String?
        var xmpp: String?
    }

    /// Opens the store and takes up what a former process left.
    init(_ settings: ServiceSettings) throws(CommandFailure) {
        sealedSettings = SealedSettings(value: settings)
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
        accounts = Accounts(
            store: store, clock: SystemClock(), passwords: PasswordWorker().hashing, sealing: sealing)
        gateway = APNsGateway(
            directory: store, loops: loops.loops, clock: clock, configuration: settings.gateway, metrics: metrics,
            logger: logger.named("apns"))
        webPushKeys = DerivedWebPushKeys(secret: Secret(store.serverSecret), imported: store)
        do {
            browsers = try WebPushGateway(
                keys: webPushKeys, directory: store, loop: loops.next(),
                clock: clock, configuration: settings.webPush,
                isOwnEndpoint: { [tokens] in BrowserEndpoints.token(in: $0).flatMap { tokens.decode($0) } != nil },
                metrics: metrics, logger: logger.named("web-push"))
        } catch {
            throw .failed(
                "Web push cannot start: \(error).", nextStep: "Install the system's CA certificates (ca-certificates).")
        }
        let scheduler = LoopScheduler(loops: loops)
        tail = LiveTail(clock: settings.clock)
        let observers: [any DeliveryObserver] =
            [
                DeliveryMetrics(metrics), tail,
                AttemptRecorder(store: store, clock: settings.clock, delays: scheduler),
            ] + settings.observers
        let pushIDs = sealing.derived(for: "apns-id")
        dispatcher = Dispatcher(
            store: store, registrations: store, directory: store, gateway: gateway, browsers: browsers,
            scheduler: scheduler, clock: clock, pushIDs: ApplePushIDs { pushIDs.seal($0) }, observers: observers)
        let observer = DeliveryObservers(all: observers)
        self.observer = observer
        let upstream = UpstreamDispatcher(
            store: store, clock: clock, delays: scheduler, ended: { observer.upstreamEnded($0, isAcknowledged: $1) })
        self.upstream = upstream
        let toAppServer: @Sendable (UpstreamMessage) -> Void = { message in
            observer.upstream(message)
            upstream.accepted(message)
        }
        let planner = DeliveryPlanner(live: live, registrations: store, tokens: tokens)
        inboxes = DeviceInboxes(
            store: store, translator: DeviceMessageTranslator(planner: planner, seal: BrowserEncryption.seal),
            gateways: dispatcher, observer: observer, clock: clock, tokens: tokens, receipts: toAppServer)
        let deliveries = DeliveryDistributor(gateways: dispatcher, live: live, inboxes: inboxes)
        sweeper = InboxSweeper(store: store, observer: observer, delays: scheduler, clock: clock)
        registrationSweeper = RegistrationSweeper(
            store: store, delays: scheduler, clock: clock, swept: RegistrationMeasures(metrics).swept)
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
                deviceQuota: settings.deviceLimits.map { DeviceQuota($0, clock: settings.clock) },
                faults: settings.faults, answerPatienceMilliseconds: settings.answerPatienceMilliseconds)
            deviceChannel = DeviceChannelServer(
                limits: settings.deviceSessions, loops: loops.loops,
                services: DeviceServices(
                    inboxes: inboxes, live: live, clock: clock, loginFaults: settings.loginFaults,
                    upstream: UpstreamIntake(
                        store: store, registrations: store, directory: store,
                        groupKeys: DeviceGroupKeyCodec(sealing: sealing), pipeline: pipeline, tokens: tokens,
                        clock: clock, messagesPerMinute: settings.upstreamMessagesPerMinute, accepted: toAppServer)),
                metrics: metrics, logger: logger.named("devices"))
            let sending = PipelineSending(
                pipeline: pipeline, fanOut: fanOut,
                lookup: RegistrationLookup(registrations: store, tokens: tokens))
            let zones = ZoneFolder()
            let runner = CampaignRunner(
                store: store, directory: store, sending: sending, zones: zones, delays: scheduler, clock: clock)
            campaignRunner = runner
            campaigns = CampaignService(
                store: store, sending: sending, zones: zones, clock: clock,
                validator: MessageValidator(limits: settings.limits), changed: { runner.wake() })
            try dispatcher.resume()
            try fanOut.resume()
            runner.wake()
            sweeper.start()
            registrationSweeper.start()
        } catch {
            throw .store(error)
        }
    }

    /// Ends gracefully: takes no more requests, finishes what is in flight, closes the store.
    func stop() async {
        readiness.drain()
        tail.close()
        await server.value?.drain(deadline: .seconds(10))
        await xmpp.value?.drain(deadline: .seconds(10))
        await deviceChannel.drain(deadline: .seconds(10))
        sweeper.stop()
        registrationSweeper.stop()
        await upstream.drain()
        await campaignRunner.drain()
        await fanOut.drain()
        await dispatcher.drain()
        await gateway.shutDown()
        browsers.shutDown()
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
