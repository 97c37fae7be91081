import Bytes
import Crypto
import Glibc
public import GoogleAPI
public import HTTPSemantics
public import PushCore
public import PushModel
public import SQLiteStore
public import Timekeeping

/// Two projects over a real store in a temporary directory, and everything that an app server's request passes on its
/// way but APNs: what APNs says is the test's.
public final class AppServerWorld: Sendable {
    public static let bundleID = "com.example.app"
    /// The server keys of the two projects.
    public static let serverKey = "AAAAworld:APA91bKitchen"
    public static let otherServerKey = "AAAAworld:APA91bGarden"

    public let store: SQLiteStore
    public let clock = ManualClock(Timestamp(seconds: 1_700_000_000))
    public let project: Project
    public let otherProject: Project
    public let app: App
    public let sealing: Sealing
    public let tokens: RegistrationTokenCodec
    public let lookup: RegistrationLookup
    public let platform = ScriptedPlatform()
    public let fanOuts = RecordedFanOuts()
    public let pipeline: SendPipeline
    public let senders: SenderAuthentication
    public let authentication: CallerAuthentication
    private let directory: String

    public init() async throws {
        directory = "/tmp/pharos-app-server-" + Hex.encode(SecureRandom.bytes(8))
        store = try SQLiteStore(
            DataDirectory(path: directory), role: .server, options: .init(clock: clock, hash: { SHA256.hash($0) }))
        project = try await store.createProject(id: ProjectID("demo-kitchen")!, displayName: "Kitchen")
        otherProject = try await store.createProject(id: ProjectID("demo-garden")!, displayName: "Garden")
        app = try await store.createApp(
            in: project.number, platform: .ios, bundleID: Self.bundleID, displayName: "")
        try await store.addServerKey(hash: SHA256.hash(Array(Self.serverKey.utf8)), to: project.number)
        try await store.addServerKey(hash: SHA256.hash(Array(Self.otherServerKey.utf8)), to: otherProject.number)
        sealing = Sealing(
            key: store.serverSecret, mac: { HMACSHA256.tag(for: $1, key: $0) }, digest: { SHA256.hash($0) },
            isEqual: { ConstantTime.isEqual($0, $1) }, random: { SecureRandom.bytes($0) })
        tokens = RegistrationTokenCodec(sealing: sealing)
        lookup = RegistrationLookup(registrations: store, tokens: tokens)
        pipeline = SendPipeline(
            validator: MessageValidator(),
            resolver: RecipientResolver(
                lookup: lookup, groups: store, groupKeys: DeviceGroupKeyCodec(sealing: sealing)),
            translator: ApplePushTranslator(silentUrgency: .refuse), store: store, deliveries: platform,
            fanOuts: fanOuts, ids: MessageIDSource(clock: clock, after: MessageID(value: 0)), clock: clock,
            delays: NoDelays(), observer: SilentObserver())
        let callers = NamedCallers(project: project.number, otherProject: otherProject.number)
        senders = SenderAuthentication(directory: store, verifier: callers, digest: sealing.digest)
        authentication = CallerAuthentication(verifier: callers)
    }

    deinit {
        store.close()
        for name in ["pharos.db", "pharos.db-wal", "pharos.db-shm", "secret", "server.lock"] {
            unlink(directory + "/" + name)
        }
        rmdir(directory)
    }

    // MARK: App instances

    /// Registers an Apple app instance in token mode.
    ///
    /// - Parameter number: Tells instances apart; the same number renews.
    public func register(
        _ number: Int, in project: Project? = nil, bundleID: String = bundleID, apnsToken: String? = nil
    ) async throws -> (registration: Registration, token: String) {
        let fid = "c" + String(repeating: "A", count: 17) + String(1000 + number)
        let hex = apnsToken ?? String(repeating: "0", count: 60) + String(1000 + number)
        let owner = project ?? self.project
        let registration = try await store.register(
            RegistrationDraft(
                project: owner.number, app: nil, fid: fid, bundleID: bundleID,
                channel: .apple(APNsAddress(token: APNsDeviceToken(hex: hex)!, environment: .sandbox)),
                isFIDMode: false, androidID: 77, sender: owner.number.description,
                subtype: owner.number.description, scope: "*", appVersion: "1.2", time: clock.now(),
                freshNonce: sealing.randomInteger()))
        return (registration, tokens.token(of: registration))
    }

    /// A token whose registration the app ended.
    public func deadToken(_ number: Int) async throws -> String {
        let (registration, token) = try await register(number)
        try await store.end(registration.id, .deletedByApp, at: clock.now())
        return token
    }

    /// An earlier and the current token of one live registration.
    public func renewedToken(_ number: Int) async throws -> (earlier: String, current: String) {
        let earlier = try await deadToken(number)
        return (earlier, try await register(number).token)
    }
}

extension HTTPResponse {
    public var text: String { String(decoding: body, as: UTF8.self) }
}

extension Router {
    /// One request, as a server hands it over.
    public func call(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: String = ""
    ) async -> HTTPResponse {
        let head = HTTPRequestHead(method: method, target: target, fields: HTTPFields(fields))
        return await respond(to: HTTPRequest(head: head, body: Array(body.utf8)))
    }
}
