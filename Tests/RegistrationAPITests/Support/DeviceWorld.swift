import Bytes
import Crypto
import Glibc
import GoogleAPI
import HTTPSemantics
import InstallationsAPI
import JSON
import PushCore
import PushModel
import RegistrationAPI
import SQLiteStore
import Timekeeping

/// The device-side APIs over a real store in a temporary directory, with one project and its Apple app.
final class DeviceWorld {
    static let bundleID = "com.example.app"

    let store: SQLiteStore
    let clock = ManualClock(Timestamp(seconds: 1_700_000_000))
    let project: Project
    let app: App
    let sealing: Sealing
    private let router: Router
    private let directory: String

    init(topicChangesPerSecond: Int? = nil) async throws {
        directory = "/tmp/pharos-device-api-" + Hex.encode(SecureRandom.bytes(8))
        let store = try SQLiteStore(
            DataDirectory(path: directory), role: .server, options: .init(clock: clock, hash: { SHA256.hash($0) }))
        self.store = store
        project = try await store.createProject(id: ProjectID("demo-device")!, displayName: "")
        app = try await store.createApp(
            in: project.number, platform: .ios, bundleID: Self.bundleID, displayName: "")
        sealing = Sealing(
            key: store.serverSecret, mac: { HMACSHA256.tag(for: $1, key: $0) }, digest: { SHA256.hash($0) },
            isEqual: { ConstantTime.isEqual($0, $1) }, random: { SecureRandom.bytes($0) })
        let tokens = RegistrationTokenCodec(sealing: sealing)
        let subscriptions = TopicSubscriptions(
            store: store, registrations: RegistrationLookup(registrations: store, tokens: tokens), clock: clock,
            quota: topicChangesPerSecond.map { [clock] in TopicChangeQuota(changesPerSecond: $0, clock: clock) })
        let installations = InstallationService(store: store, clock: clock, sealing: sealing)
        var router = InstallationRoutes(installations: installations, directory: store).router
        router.mount(
            DeviceRoutes.router(
                checkIn: DeviceCheckIn(store: store, clock: clock, sealing: sealing),
                classic: ClassicRegistrar(
                    store: store, directory: store, installations: installations, clock: clock, sealing: sealing),
                instances: InstanceRegistrar(
                    store: store, directory: store, installations: installations, clock: clock, sealing: sealing,
                    webPushKeys: HeldKey()),
                topics: DeviceTopics(store: store, tokens: tokens, subscriptions: subscriptions),
                subscriptions: subscriptions, directory: store, clock: clock, registered: { _ in }))
        self.router = router
    }

    deinit {
        store.close()
        for name in ["pharos.db", "pharos.db-wal", "pharos.db-shm", "secret", "server.lock"] {
            unlink(directory + "/" + name)
        }
        rmdir(directory)
    }

    // MARK: Requests

    func call(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: String = ""
    ) async -> HTTPResponse {
        await call(method, target, fields: fields, bytes: Array(body.utf8))
    }

    func call(
        _ method: String, _ target: String, fields: [(String, String)] = [], bytes: [UInt8]
    ) async -> HTTPResponse {
        let head = HTTPRequestHead(method: method, target: target, fields: HTTPFields(fields))
        return await router.respond(to: HTTPRequest(head: head, body: bytes))
    }

    var key: (String, String) { ("x-goog-api-key", app.apiKey) }

    /// A new installation: what its SDK keeps.
    func install() async throws -> (fid: String, refreshToken: String, authToken: String) {
        let answer = await call(
            "POST", "/v1/projects/demo-device/installations/", fields: [key],
            body: #"{"fid":"","appId":"\#(app.id)","authVersion":"FIS_v2","sdkVersion":"i:12.0.0"}"#)
        let object = answer.json
        return (
            object["fid"]?.string ?? "", object["refreshToken"]?.string ?? "",
            object["authToken"]?.object?["token"]?.string ?? ""
        )
    }

    /// A new device: what check-in gives it.
    func checkIn() async -> (id: UInt64, token: UInt64) {
        let answer = await call(
            "POST", "/checkin", fields: [("content-type", "application/json")],
            body: #"{"checkin":{"type":2},"id":0,"security_token":0}"#)
        return (answer.json["android_id"]?.uint64 ?? 0, answer.json["security_token"]?.uint64 ?? 0)
    }
}

/// One key for all projects.
struct HeldKey: WebPushKeys {
    static let point = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"

    func publicKey(of project: ProjectNumber) -> [UInt8] { Base64URL.decode(Self.point) ?? [] }

    func privateKey(of project: ProjectNumber, for publicKey: [UInt8]) -> Secret<String>? {
        publicKey == self.publicKey(of: project) ? Secret("") : nil
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONObject { (try? JSONValue(parsing: body))?.object ?? [:] }
    var error: JSONObject { json["error"]?.object ?? [:] }
}
