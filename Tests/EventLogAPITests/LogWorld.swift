import Bytes
import Crypto
import EventLogAPI
import Glibc
import GoogleAPI
import HTTPSemantics
import ProtobufWire
import PushCore
import PushModel
import SQLiteStore
import Synchronization
import Timekeeping

/// The event log over a real store in a temporary directory, with one project and one app instance.
final class LogWorld {
    static let fid = "cAAAAAAAAAAAAAAAAAAAAA"
    static let start = Timestamp(seconds: 1_700_000_000)

    let store: SQLiteStore
    let clock = ManualClock(start)
    let project: Project
    let observer = ReportListener()
    private let router: Router
    private let directory: String

    init(eventsPerMinute: Int = 600_000, eventsPerInstance: Int = 2_000) async throws {
        directory = "/tmp/pharos-event-log-" + Hex.encode(SecureRandom.bytes(8))
        store = try SQLiteStore(
            DataDirectory(path: directory), role: .server, options: .init(clock: clock, hash: { SHA256.hash($0) }))
        project = try await store.createProject(id: ProjectID("demo-log")!, displayName: "")
        let app = try await store.createApp(
            in: project.number, platform: .ios, bundleID: "com.example.app", displayName: "")
        try await store.putInstallation(
            Installation(
                fid: FirebaseInstallationID(Self.fid)!, project: project.number, app: app.id,
                refreshTokenHash: SHA256.hash([]), sdkVersion: "", createdAt: Self.start))
        router =
            EventLogRoutes(
                intake: ReportIntake(
                    store: store, directory: store, clock: clock, observer: observer, eventsPerMinute: eventsPerMinute,
                    eventsPerInstance: eventsPerInstance)
            ).router
    }

    deinit {
        store.close()
        for name in ["pharos.db", "pharos.db-wal", "pharos.db-shm", "secret", "server.lock"] {
            unlink(directory + "/" + name)
        }
        rmdir(directory)
    }

    func post(_ body: [UInt8], type: String = "application/x-protobuf", query: String = "") async -> HTTPResponse {
        let head = HTTPRequestHead(
            method: "POST", target: "/v0cc/log/batch" + query, fields: HTTPFields([("content-type", type)]))
        return await router.respond(to: HTTPRequest(head: head, body: body))
    }

    var kept: [StoredReport] {
        get throws { try store.reports(of: project.number, after: 0, limit: 2000) }
    }

    /// One event as devices write it; a change may spoil it.
    func event(_ change: (inout EventFields) -> Void = { _ in }) -> [UInt8] {
        var fields = EventFields(project: Int64(project.number.value))
        change(&fields)
        return fields.encoded
    }
}

/// Hears of new reports, and of nothing else.
final class ReportListener: DeliveryObserver {
    private let events = Mutex<[ReportedEvent]>([])
    var heard: [ReportedEvent] { events.withLock { $0 } }

    func reported(_ event: ReportedEvent) { events.withLock { $0.append(event) } }
    func accepted(_ message: ValidatedMessage, recipients: [Registration]) {}
    func translated(_ delivery: QueuedDelivery, into push: ApplePush) {}
    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {}
    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) {}
}

/// `MessagingClientEvent`.
struct EventFields {
    var project: Int64
    var message = "1700000000000001"
    var instance = LogWorld.fid
    var kind: Int64 = 1
    var type: Int64 = 3
    var platform: Int64 = 2
    var app = "com.example.app"
    var topic: String?
    var label: String?
    var campaign: Int64?

    var encoded: [UInt8] {
        var event = ProtobufWriter()
        event.write(project, field: 1)
        event.write(message, field: 2)
        event.write(instance, field: 3)
        event.write(type, field: 4)
        event.write(platform, field: 5)
        event.write(app, field: 6)
        event.write("collapse", field: 7)
        event.write(Int64(10), field: 8)
        if let topic { event.write(topic, field: 10) }
        event.write(kind, field: 12)
        if let label { event.write(label, field: 13) }
        if let campaign { event.write(campaign, field: 14) }
        var wrapper = ProtobufWriter()
        wrapper.write(message: event, field: 1)
        return wrapper.bytes
    }
}

/// `BatchedLogRequest` around events.
func batch(_ events: [[UInt8]], source: Int64 = 1249, time: Timestamp = LogWorld.start) -> [UInt8] {
    var log = ProtobufWriter()
    log.write(message: ProtobufWriter(), field: 1)
    log.write(source, field: 2)
    for bytes in events {
        var event = ProtobufWriter()
        event.write(time.milliseconds, field: 1)
        event.write(bytes: bytes, field: 6)
        event.writeZigZag(-3600, field: 15)
        log.write(message: event, field: 3)
    }
    var batch = ProtobufWriter()
    batch.write(message: log, field: 1)
    return batch.bytes
}
