import APNsGateway
import APNsSimulator
import Campaigns
import ConsoleAPI
import Crypto
import DeviceChannel
import DeviceSimulator
import EventLoop
import GoogleAPI
import HTTPClient
import JSON
import OAuthAPI
import PushCore
import PushModel
import SQLiteStore
import Telemetry
import Timekeeping
import Transport
import WebPushGateway

/// `pharos dev`: the service, an APNs simulator and virtual iPhones in one process. Nothing leaves the machine.
final class Emulator: Sendable {
    /// What the command line says.
    struct Options {
        var dataDirectory: String
        var projectID = DemoProject.defaultID
        var listenHTTP: ListenAddress?
        var listenHTTPS: ListenAddress?
        var listenDevice: ListenAddress?
        var listenXMPP: ListenAddress?
        var listenAPNs: ListenAddress
        var listenProxy: ListenAddress?
        var apnsLog: String?
        /// Whether APNs takes tokens that no virtual iPhone has, as those of made-up devices.
        var takesUnknownAPNsTokens = true
        var answerPatienceMilliseconds: Int64 = 1000
        var topicChangesPerSecond: Int?
        var logger = Logger.silent
    }

    let clock: VirtualClock
    let service: PharosService
    let simulator: APNsSimulator
    let rack: PhoneRack
    let journal: DeliveryJournal
    let sendFaults: SendFaultScript
    let deviceFaults: DeviceFaultScript
    let demo: DemoProject
    /// The password of the console's administrator.
    private let adminPassword: String?
    private let addresses: LateValue<PharosService.Addresses>
    private let proxy: LateValue<RedirectProxy>
    /// The simulator's loop and the phones' loop: apps at work must not hold up APNs.
    private let deviceLoops: EventLoopGroup
    private let phoneLoop: EventLoop
    private let options: SealedOptions

    private struct SealedOptions: @unchecked Sendable {
        // What makes it Sendable: nobody changes the value after `init`.
        let value: Options
    }

    init(_ options: Options) async throws(CommandFailure) {
        self.options = SealedOptions(value: options)
        addresses = LateValue()
        proxy = LateValue()
        clock = VirtualClock()
        journal = DeliveryJournal()
        try PrivateFile.makeDirectory(options.dataDirectory)
        let authority = try LocalAuthority(dataDirectory: options.dataDirectory, now: clock.now())
        do {
            deviceLoops = try EventLoopGroup(count: 2)
            phoneLoop = deviceLoops.next()
            simulator = try Self.startSimulator(
                options, authority: authority, clock: clock, loops: [deviceLoops.next()])
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw .failed(
                "The APNs simulator cannot start: \(error).",
                nextStep: "Choose another address with --listen-apns HOST:PORT, or 0 as port for any free one.")
        }
        let faults = LateFaults()
        let deviceFaults = DeviceFaultScript(loop: phoneLoop)
        self.deviceFaults = deviceFaults
        service = try PharosService(
            Self.settings(
                options, simulatorPort: simulator.port, authority: authority, clock: clock,
                journal: journal, faults: faults, loginFaults: { await deviceFaults.nextFault(of: $0) }))
        sendFaults = SendFaultScript(tokens: service.tokens)
        faults.script.set(sendFaults)
        demo = try await DemoProject(
            id: options.projectID, store: service.store, dataDirectory: options.dataDirectory)
        adminPassword = try await DemoAdministrator.make(service.accounts, dataDirectory: options.dataDirectory)
        simulator.register(
            ProviderKey(id: demo.signingKeyID, teamID: DemoProject.teamID, publicKey: demo.signingKey.publicKey))
        do {
            rack = PhoneRack(
                simulator: simulator, client: try HTTPClient(loop: phoneLoop),
                byteStreams: try TLSByteStreams(
                    trust: .authorities(pem: Array(authority.certificatePEM.utf8)), loop: phoneLoop),
                clock: clock, loop: phoneLoop, journal: journal)
        } catch {
            throw .failed("The virtual iPhones cannot start: \(error).", nextStep: "Run: pharos doctor")
        }
    }

    private static func startSimulator(
        _ options: Options, authority: LocalAuthority, clock: VirtualClock, loops: [EventLoop]
    ) throws -> APNsSimulator {
        var settings = APNsSimulatorOptions(
            endpoints: [.init(address: options.listenAPNs.host, port: options.listenAPNs.port)])
        settings.rules.acceptsUnknownTokens = options.takesUnknownAPNsTokens
        settings.rules.authentication.trustsUnknownKeys = true
        settings.recordingPath = options.apnsLog
        return try APNsSimulator.start(settings, authority: authority.authority, clock: clock, loops: loops)
    }

    private static func settings(
        _ options: Options, simulatorPort: UInt16, authority: LocalAuthority, clock: VirtualClock,
        journal: DeliveryJournal, faults: LateFaults, loginFaults: @escaping DeviceServices.LoginFaults
    ) -> ServiceSettings {
        var settings = ServiceSettings(dataDirectory: options.dataDirectory)
        settings.listenHTTP = options.listenHTTP
        settings.listenHTTPS = options.listenHTTPS
        settings.listenDevice = options.listenDevice
        settings.listenXMPP = options.listenXMPP
        settings.gateway = APNsGatewayConfiguration(
            everythingAt: APNsEndpoint(host: options.listenAPNs.host, port: simulatorPort),
            trust: .authorities(pem: Array(authority.certificatePEM.utf8)))
        settings.webPush.allowsLoopback = true
        settings.deviceSessions.wantsPromptAcknowledgements = true
        settings.answerPatienceMilliseconds = options.answerPatienceMilliseconds
        settings.messagesPerMinute = nil
        settings.topicChangesPerSecond = options.topicChangesPerSecond
        settings.deviceLimits = nil
        settings.upstreamMessagesPerMinute = nil
        settings.clock = clock
        settings.isEmulator = true
        settings.logger = options.logger
        settings.observers = [journal]
        settings.faults = faults
        settings.loginFaults = loginFaults
        return settings
    }

    /// Opens the listeners and writes the files for apps and app servers.
    /// - Returns: The ready line.
    func start() throws(CommandFailure) -> JSONObject {
        let options = options.value
        var extra = EmulatorRoutes(emulator: self).router
        extra.mount(EmulatorDoors(emulator: self).router)
        let addresses = try service.start(extra: extra, atRoot: MetadataServer.probeAnswer)
        self.addresses.set(addresses)
        var proxyURL: String?
        if let listen = options.listenProxy, let https = options.listenHTTPS, let port = addresses.httpsPort {
            do {
                let proxy = try RedirectProxy(
                    listen: listen, target: ListenAddress(host: https.host, port: port), loops: service.loops.loops)
                self.proxy.set(proxy)
                proxyURL = "http://" + listen.text(port: proxy.port)
            } catch {
                throw .failed(
                    "Cannot listen on \(listen.text(port: listen.port)): \(error).",
                    nextStep: "Choose another address with --listen-proxy HOST:PORT, or off.")
            }
        }
        try demo.writeFiles(serverURL: serverURL, directChannel: addresses.device)
        return readyLine(addresses, proxy: proxyURL)
    }

    private var serverURL: String { addresses.value?.http ?? addresses.value?.https ?? "" }

    private func readyLine(_ addresses: PharosService.Addresses, proxy: String?) -> JSONObject {
        let text: (String?) -> JSONValue = { $0.map { .string($0) } ?? .null }
        return [
            "project": .string(demo.project.id.text),
            "sender_id": .string(demo.project.number.description),
            "app_id": .string(demo.apple.id.text),
            "android_app_id": .string(demo.android.id.text),
            "web_app_id": .string(demo.web.id.text),
            "bundle_id": .string(demo.apple.bundleID),
            "api_key": .string(demo.apple.apiKey),
            "server_key": .string(demo.serverKey),
            "service_account": .string(absolute(demo.serviceAccountPath)),
            "plist": .string(absolute(demo.plistPath)),
            "ca": .string(absolute(service.authority.certificatePath)),
            "http": text(addresses.http),
            "https": text(addresses.https),
            "mcs": text(addresses.device),
            "xmpp": text(addresses.xmpp),
            "apns": .string(options.value.listenAPNs.text(port: simulator.port)),
            "proxy": text(proxy),
            "console": .string(serverURL + "/"),
            "admin_password": text(adminPassword),
        ]
    }

    private func absolute(_ path: String) -> String { PrivateFile.absolutePath(path) }

    /// The demo app as a virtual iPhone installs it.
    func package(mode: AppPackage.Mode, opensDirectChannel: Bool) throws(GoogleError) -> AppPackage {
        let configuration = AppConfiguration(
            app: demo.apple, project: demo.project, serverURL: serverURL, directChannel: addresses.value?.device)
        var package = AppPackage(
            bundleID: demo.apple.bundleID, mode: mode, configurationPlist: configuration.plist)
        package.opensDirectChannel = opensDirectChannel
        package.reportsDeliveries = true
        package.dismissCategories = [AppPackage.dismissibleCategory]
        return package
    }

    // MARK: What tests do

    /// The messages that match, once they are settled or the time is up.
    func settledEntries(_ query: DeliveryJournal.Query, waitMilliseconds: Int64) async -> [JournalEntry] {
        var query = query
        query.registration = query.target.flatMap { service.tokens.decode($0) }
        if waitMilliseconds > 0 {
            await JournalWait(journal: journal, query: query)
                .run(milliseconds: waitMilliseconds, loop: phoneLoop)
        }
        return journal.entries(query)
    }

    var clockJSON: JSONValue {
        let now = clock.now()
        return [
            "now_ms": .integer(now.milliseconds),
            "ahead_ms": .integer(now.milliseconds - SystemClock().now().milliseconds),
        ]
    }

    func resetFaults() {
        sendFaults.reset()
        deviceFaults.reset()
        simulator.removeAllFaults()
    }

    /// Back to the start: no phones, no campaigns, no faults, nothing remembered, the machine's time.
    func reset() async {
        await removeCampaigns()
        await rack.removeAll()
        resetFaults()
        journal.reset()
        simulator.resetLog()
        clock.reset()
    }

    /// Those of one test must not send in the next one. What a failing store leaves is there to be seen.
    private func removeCampaigns() async {
        let store = service.store
        for project in (try? store.projects()) ?? [] {
            while let some = try? store.campaigns(of: project.number, in: nil, before: nil, limit: 200), !some.isEmpty {
                for campaign in some {
                    guard (try? await store.deleteCampaign(campaign.id, in: project.number)) == true else { return }
                }
            }
        }
    }

    func stop() async {
        proxy.value?.stop()
        await rack.removeAll()
        await service.stop()
        simulator.stop()
        deviceLoops.shutDown()
    }
}

/// The faults of sends, which need the token codec of the service that they are given to.
private final class LateFaults: SendFaults {
    let script = LateValue<SendFaultScript>()

    func nextFault(for target: SendTarget, recipients: [Registration]) -> ScriptedSendFault? {
        script.value?.nextFault(for: target, recipients: recipients)
    }
}
