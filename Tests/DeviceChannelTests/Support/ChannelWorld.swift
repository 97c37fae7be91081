import Bytes
import Crypto
import DeviceChannel
import EventLoop
import Glibc
import MCSWire
import NetTesting
import PushCore
import PushModel
import SQLiteStore
import Telemetry
import Timekeeping
import Transport

/// The device channel over a real store in a temporary directory, behind TLS, with everything that a message passes on
/// its way to a device.
final class ChannelWorld: Sendable {
    static let bundleID = "org.example.app"

    let store: SQLiteStore
    let clock = VirtualClock(base: ManualClock(Timestamp(seconds: 1_700_000_000)))
    let project: Project
    let live = LiveDevices()
    let gateway = RecordedGateway()
    let journal = Journal()
    let metrics = MetricRegistry()
    let server: DeviceChannelServer
    let port: UInt16
    private let pipeline: SendPipeline
    private let tokens: RegistrationTokenCodec
    private let loops: EventLoopGroup
    private let clientLoops: EventLoopGroup
    private let clientTLS: TLSClientContext
    private let directory: String
    private let sealing: Sealing

    init(upstream: UpstreamScript = UpstreamScript(), _ change: (inout SessionLimits) -> Void = { _ in }) async throws {
        directory = "/tmp/pharos-device-channel-" + Hex.encode(SecureRandom.bytes(8))
        store = try SQLiteStore(
            DataDirectory(path: directory), role: .server, options: .init(clock: clock, hash: { SHA256.hash($0) }))
        project = try await store.createProject(id: ProjectID("demo-kitchen")!, displayName: "Kitchen")
        sealing = Sealing(
            key: store.serverSecret, mac: { HMACSHA256.tag(for: $1, key: $0) }, digest: { SHA256.hash($0) },
            isEqual: { ConstantTime.isEqual($0, $1) }, random: { SecureRandom.bytes($0) })
        tokens = RegistrationTokenCodec(sealing: sealing)
        let planner = DeliveryPlanner(live: live, registrations: store, tokens: tokens)
        let inboxes = DeviceInboxes(
            store: store, translator: DeviceMessageTranslator(planner: planner, seal: { _, _, _ in nil }),
            gateways: gateway, observer: journal, clock: clock, tokens: tokens, receipts: { _ in })
        pipeline = SendPipeline(
            validator: MessageValidator(),
            resolver: RecipientResolver(
                lookup: RegistrationLookup(registrations: store, tokens: tokens), groups: store,
                groupKeys: DeviceGroupKeyCodec(sealing: sealing)),
            translator: ApplePushTranslator(silentUrgency: .refuse), planner: planner, store: store,
            deliveries: DeliveryDistributor(gateways: gateway, live: live, inboxes: inboxes), fanOuts: NoFanOuts(),
            ids: MessageIDSource(clock: clock, after: MessageID(value: 0)), clock: clock, delays: NoDelays(),
            observer: journal)
        loops = try EventLoopGroup(count: 2)
        clientLoops = try EventLoopGroup(count: 1)
        clientTLS = try TLSClientContext(trust: .authorities(pem: TestCertificates.authority))
        var limits = SessionLimits()
        change(&limits)
        server = DeviceChannelServer(
            limits: limits, loops: loops.loops,
            services: DeviceServices(inboxes: inboxes, live: live, clock: clock) {
                (message, device) throws(StoreError) in try await upstream.accept(message, from: device)
            }, metrics: metrics, logger: .silent)
        var options = ListenerOptions()
        options.tls = try TLSServerContext(
            identity: TLSIdentity(certificateChainPEM: TestCertificates.chain, privateKeyPEM: TestCertificates.key))
        port = try server.listen(options).port
    }

    deinit {
        clientLoops.shutDown()
        loops.shutDown()
        store.close()
        for name in ["pharos.db", "pharos.db-wal", "pharos.db-shm", "secret", "server.lock"] {
            unlink(directory + "/" + name)
        }
        rmdir(directory)
    }

    // MARK: Devices

    static let apnsAddress = APNsAddress(
        token: APNsDeviceToken(bytes: Array(repeating: 7, count: 32))!, environment: .production)

    /// A device with one app, not connected.
    func device(
        _ bundleID: String = bundleID, channel: Registration.Channel = .device
    ) async throws -> Device {
        let id = max(1, sealing.randomInteger() >> 1)
        let credentials = DeviceCredentials(androidID: id, securityToken: max(1, sealing.randomInteger() >> 1))
        try await store.addDevice(credentials, at: clock.now())
        let registration = try await store.register(
            RegistrationDraft(
                project: project.number, app: nil, fid: "", bundleID: bundleID, channel: channel, isFIDMode: false,
                androidID: id, sender: project.number.description, scope: "*", time: clock.now(),
                freshNonce: sealing.randomInteger()))
        return Device(credentials: credentials, registration: registration, token: tokens.token(of: registration))
    }

    /// An app of another project on a device.
    func app(_ bundleID: String, of project: Project, on device: Device) async throws -> Device {
        let registration = try await store.register(
            RegistrationDraft(
                project: project.number, app: nil, fid: "", bundleID: bundleID, channel: .device, isFIDMode: false,
                androidID: device.credentials.androidID, sender: project.number.description, scope: "*",
                time: clock.now(), freshNonce: sealing.randomInteger()))
        return Device(
            credentials: device.credentials, registration: registration, token: tokens.token(of: registration))
    }

    /// A TLS connection on which nothing was sent.
    func connect() -> DeviceClient {
        DeviceClient(port: port, on: clientLoops.next(), tls: clientTLS)
    }

    func connect(_ device: Device, received: [String] = []) async throws -> DeviceClient {
        let client = connect()
        client.send([41])
        client.send(.loginRequest(device.login(received: received)))
        try await client.expectLogin()
        return client
    }

    // MARK: Messages

    @discardableResult
    func send(
        _ data: [String: String], to device: Device, collapseKey: String? = nil, timeToLive: Int64? = nil,
        priority: MessagePriority? = nil, in owner: Project? = nil
    ) async throws -> MessageID? {
        let entries = data.sorted { $0.key < $1.key }.map { Message.DataEntry(key: $0.key, value: $0.value) }
        let message = Message(
            data: entries,
            android: AndroidOptions(
                collapseKey: collapseKey, priority: priority,
                timeToLive: timeToLive.flatMap { TimeToLive(seconds: $0) }))
        let project = owner ?? project
        let request = SendRequest(project: project.id, target: .token(device.token), message: message)
        return try await pipeline.send(request, in: project).id
    }

    /// One message to several devices.
    func send(_ data: [String: String], toEach devices: [Device]) async throws {
        let message = Message(data: data.map { Message.DataEntry(key: $0.key, value: $0.value) })
        _ = try await pipeline.sendEach(message, to: devices.map(\.token), in: project)
    }

    func waiting(for device: Device) throws -> Int {
        try store.inbox(of: device.credentials.androidID, after: DeliveryID(value: 0), limit: 1_000).count
    }

    /// Until the condition holds; the test's time limit ends a wait in vain.
    func wait(until isTrue: () throws -> Bool) async throws {
        while try !isTrue() { try await Task.sleep(for: .milliseconds(2)) }
    }
}
