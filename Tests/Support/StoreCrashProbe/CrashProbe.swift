import PushCore
import PushModel
import SQLiteStore
import Timekeeping

struct CrashProbe {
    private static let senders = 16

    let store: SQLiteStore

    init(dataDirectory: String) throws {
        // The hash plays no part here: no device checks in.
        store = try SQLiteStore(
            DataDirectory(path: dataDirectory), role: .server, options: SQLiteStore.Options(hash: { $0 }))
    }

    func run() async throws {
        let registration = try await registration()
        guard let project = store.project(number: registration.project) else { return }
        let ids = MessageIDSource(clock: SystemClock(), after: try store.largestMessageID())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.senders {
                group.addTask { await send(to: registration.id, of: project, ids) }
            }
        }
    }

    private func send(to recipient: RegistrationID, of project: Project, _ ids: MessageIDSource) async {
        while true {
            let now = SystemClock().now()
            let message = ValidatedMessage(
                id: ids.next(), project: project, target: .token("probe"),
                message: Message(notification: .init(title: "probe", body: String(repeating: "x", count: 300))),
                acceptedAt: now, expiresAt: now.adding(seconds: 3600))
            guard let accepted = try? await store.accept(message, recipients: [recipient]) else { return }
            for id in accepted { ProbeOutput.print("\(id.value)") }
        }
    }

    private func registration() async throws -> Registration {
        guard let id = ProjectID("demo-probe") else { throw StoreError.notFound("project id") }
        let known = store.project(id: id)
        let project = if let known { known } else { try await store.createProject(id: id, displayName: "Probe") }
        return try await store.register(
            RegistrationDraft(
                project: project.number, app: nil, fid: "cProbeProbeProbeProbe0", bundleID: "com.example.probe",
                channel: .apple(nil), isFIDMode: true, androidID: 0, time: SystemClock().now(), freshNonce: 1))
    }
}
