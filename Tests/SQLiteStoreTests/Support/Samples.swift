import PushCore
import PushModel
import Timekeeping

@testable import SQLiteStore

enum Sample {
    static let fid = "cAAAAAAAAAAAAAAAAAAAAA"
    static let otherFID = "dBBBBBBBBBBBBBBBBBBBBB"
    static let bundle = "com.example.pushdemo"

    static func address(_ byte: UInt8, _ environment: APNsEnvironment = .production) -> APNsAddress? {
        let hex = String(repeating: byte < 16 ? "0\(String(byte, radix: 16))" : String(byte, radix: 16), count: 32)
        return APNsDeviceToken(hex: hex).map { APNsAddress(token: $0, environment: environment) }
    }

    static func project(_ store: SQLiteStore, _ name: String = "demo-pharos") async throws -> Project {
        guard let id = ProjectID(name) else { throw StoreError.notFound(name) }
        return try await store.createProject(id: id, displayName: name)
    }

    /// A classic registration of an Apple app.
    static func draft(
        _ project: Project, fid: String = fid, address: APNsAddress? = address(1), nonce: UInt64 = 1,
        time: Timestamp = .testStart
    ) -> RegistrationDraft {
        RegistrationDraft(
            project: project.number, app: nil, fid: fid, bundleID: bundle, channel: .apple(address), isFIDMode: false,
            androidID: 42, sender: project.number.description, subtype: project.number.description, scope: "*",
            appVersion: "1.0", sdkVersion: "fcm-12.0.0", time: time, freshNonce: nonce)
    }

    static func message(_ project: Project, id: Int64, body: String = "hello") -> ValidatedMessage {
        ValidatedMessage(
            id: MessageID(value: id), project: project, target: .token("t"),
            message: Message(
                data: [Message.DataEntry(key: "k", value: "v")], notification: .init(title: "title", body: body)),
            acceptedAt: .testStart, expiresAt: .testStart.adding(seconds: 3600))
    }

    static func finished(
        _ id: DeliveryID, of message: ValidatedMessage, registration: RegistrationID,
        outcome: DeliveryOutcome = .accepted(providerID: "12345678-9abc-def0-1234-56789abcdef0"),
        time: Timestamp = .testStart
    ) -> FinishedDelivery {
        FinishedDelivery(
            id: id, message: message.id, project: message.project.number, registration: registration, outcome: outcome,
            time: time)
    }
}

extension SQLiteStore {
    /// Waits until everything handed to the writer so far is on the disk.
    func settle() async throws {
        try await writer.write { _ in }
    }
}
