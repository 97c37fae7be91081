import JSON
import PushCore
import PushModel
import Timekeeping

/// Values that the delivery tests share.
enum Sample {
    static let acceptedAt = Timestamp(seconds: 1_700_000_000)
    static let fid = "cXyzAbCdEfGhIjKlMnOpQr"
    static let deviceToken = String(repeating: "0123456789abcdef", count: 4)
    static let serviceKeys = """
        "gcm.message_id":"1700000000000001","google.c.a.e":"1","google.c.sender.id":"123456789012",\
        "google.c.fid":"\(fid)"
        """

    static var topic: TopicName {
        guard let topic = TopicName("news") else { fatalError("bad sample") }
        return topic
    }

    static func project(_ id: String = "sample-project", number: UInt64 = 123_456_789_012) -> Project {
        guard let id = ProjectID(id) else { fatalError("bad sample") }
        return Project(id: id, number: ProjectNumber(value: number), displayName: "Sample", createdAt: acceptedAt)
    }

    static func address(_ environment: APNsEnvironment = .production) -> APNsAddress {
        guard let token = APNsDeviceToken(hex: deviceToken) else { fatalError("bad sample") }
        return APNsAddress(token: token, environment: environment)
    }

    static func message(
        _ message: Message, target: SendTarget = .token("t"), id: Int64 = 1_700_000_000_000_001,
        project: Project = project()
    ) -> ValidatedMessage {
        ValidatedMessage(
            id: MessageID(value: id), project: project, target: target, message: message, acceptedAt: acceptedAt,
            expiresAt: acceptedAt.adding(seconds: 2_419_200))
    }

    static func registration(
        _ id: Int64 = 1, channel: Registration.Channel = .apple(address()), fid: String = fid,
        project: ProjectNumber = ProjectNumber(value: 123_456_789_012)
    ) -> Registration {
        Registration(
            id: RegistrationID(value: id), project: project, app: nil, fid: fid, bundleID: "com.example.app",
            channel: channel, isFIDMode: false, tokenNonce: 1, androidID: 1, appVersion: "", sdkVersion: "",
            createdAt: acceptedAt, confirmedAt: acceptedAt)
    }

    static func headers(_ headers: (String, String)...) -> [Message.DataEntry] {
        headers.map { Message.DataEntry(key: $0.0, value: $0.1) }
    }

    static func data(_ entries: (String, String)...) -> [Message.DataEntry] {
        entries.map { Message.DataEntry(key: $0.0, value: $0.1) }
    }
}
