import PushCore
import PushModel
import SQLiteStore
import Timekeeping

/// Devices that get messages, acknowledge every second one with a receipt, and send messages of their own.
///
/// Lines: `a ID` accepted and left waiting, `b ID` accepted and then acknowledged, `s ID` acknowledged, `u NAME` sent.
struct InboxProbe {
    private static let devices: ClosedRange<UInt64> = 1...8

    let store: SQLiteStore

    init(dataDirectory: String) throws {
        // The hash plays no part here: no device checks in.
        store = try SQLiteStore(
            DataDirectory(path: dataDirectory), role: .server, options: SQLiteStore.Options(hash: { $0 }))
    }

    func run() async throws {
        guard let id = ProjectID("demo-probe") else { throw StoreError.notFound("project id") }
        let known = store.project(id: id)
        let project = if let known { known } else { try await store.createProject(id: id, displayName: "Probe") }
        let ids = MessageIDSource(clock: SystemClock(), after: try store.largestMessageID())
        await withTaskGroup(of: Void.self) { group in
            for device in Self.devices { group.addTask { try? await run(device, in: project, ids) } }
        }
    }

    private func run(_ device: UInt64, in project: Project, _ ids: MessageIDSource) async throws {
        let recipient = try await store.register(
            RegistrationDraft(
                project: project.number, app: nil, fid: "cProbeProbeProbeProbe\(device)", bundleID: "com.example.probe",
                channel: .device, isFIDMode: false, androidID: device, time: SystemClock().now(), freshNonce: 1))
        while true {
            let waiting = try await accept(ids.next(), for: recipient, in: project)
            ProbeOutput.print("a \(waiting.id.value)")
            let message = ids.next()
            let acknowledged = try await accept(message, for: recipient, in: project)
            ProbeOutput.print("b \(acknowledged.id.value)")
            try await acknowledge(acknowledged.id, of: message, by: recipient, in: project)
            ProbeOutput.print("s \(acknowledged.id.value)")
            let name = "\(message.value)"
            let origin = UpstreamOrigin(device: device, category: "com.example.probe", queueID: name)
            _ = try await store.acceptUpstream(draft(name, .message, in: project), from: origin)
            ProbeOutput.print("u \(device) \(name)")
        }
    }

    private func accept(
        _ id: MessageID, for recipient: Registration, in project: Project
    ) async throws -> AcceptedDelivery {
        let now = SystemClock().now()
        let message = ValidatedMessage(
            id: id, project: project, target: .token("probe"), message: Message(data: [.init(key: "k", value: "v")]),
            acceptedAt: now, expiresAt: now.adding(seconds: 3600))
        let place = InboxPlace(
            device: recipient.androidID, collapseKey: nil, expiresAt: now.adding(seconds: 3600), isConnected: true)
        let planned = PlannedDelivery(registration: recipient.id, inbox: place)
        return try await store.accept(message, deliveries: [planned]).deliveries[0]
    }

    private func acknowledge(
        _ id: DeliveryID, of message: MessageID, by recipient: Registration, in project: Project
    ) async throws {
        let finished = FinishedDelivery(
            id: id, message: message, project: project.number, registration: recipient.id,
            outcome: .accepted(providerID: ""), time: SystemClock().now())
        _ = try await store.settle(
            [InboxSettlement(finished: finished, receipt: draft("dr2:\(id.value)", .receipt, in: project))],
            of: recipient.androidID)
    }

    private func draft(_ name: String, _ kind: UpstreamDraft.Kind, in project: Project) -> UpstreamDraft {
        UpstreamDraft(
            project: project.number, kind: kind, from: "probe", category: "com.example.probe", messageID: name,
            timeToLiveSeconds: 0, expiresAt: SystemClock().now().adding(seconds: 3600))
    }
}
