import PushCore
import PushModel
import Timekeeping

/// Reads registrations on one connection.
struct RegistrationReader {
    private struct Stored {
        var registration: Registration
        var kind: RegistrationKind
        var app, bundle, appVersion, sdkVersion, sender: Int64
        /// `nil` when it is the sender.
        var subtype: String?
    }

    let connection: Connection
    let texts: TextCache

    func registration(_ id: RegistrationID) throws(StoreError) -> Registration? {
        let stored = try connection.first(
            """
            SELECT r.id, r.project, i.fid, r.kind, r.app, r.bundle, r.environment, r.address, r.nonce, r.android_id,
                r.app_version, r.sdk_version, r.created_at, r.confirmed_at, r.ending, r.sender, r.subtype
            FROM registrations r LEFT JOIN instances i ON i.serial = r.instance WHERE r.id = ?
            """, id.value, read: decode)
        return try stored.map(complete)
    }

    /// The live registration of a FID; the one that was confirmed last when there are several.
    func registration(fid: String, in project: ProjectNumber) throws(StoreError) -> Registration? {
        let id = try connection.first(
            """
            SELECT r.id FROM instances i JOIN registrations r ON r.instance = i.serial
            WHERE i.fid = ? AND i.project = ? AND r.ending IS NULL
            ORDER BY r.confirmed_at DESC, r.id DESC LIMIT 1
            """, InstanceName(fid), project.value, read: { RegistrationID(value: $0.integer(0)) })
        return try id.flatMap(registration)
    }

    /// Instances stay when their installation and registrations end.
    func hasKnown(fid: String, in project: ProjectNumber) throws(StoreError) -> Bool {
        let serial = try connection.first(
            "SELECT serial FROM instances WHERE fid = ? AND project = ?", InstanceName(fid), project.value,
            read: { $0.integer(0) })
        return serial != nil
    }

    private func decode(_ row: Row) throws(StoreError) -> Stored {
        guard let kind = RegistrationKind(rawValue: row.integer(3)) else { throw .damaged("a registration's kind") }
        let registration = Registration(
            id: RegistrationID(value: row.integer(0)),
            project: ProjectNumber(value: UInt64(bitPattern: row.integer(1))), app: nil,
            fid: InstanceName(row, column: 2).text, bundleID: "",
            channel: try channel(kind, row), isFIDMode: kind.isFIDMode,
            tokenNonce: UInt64(bitPattern: row.integer(8)), androidID: UInt64(bitPattern: row.integer(9)),
            appVersion: "", sdkVersion: "", createdAt: Timestamp(milliseconds: row.integer(12)),
            confirmedAt: Timestamp(milliseconds: row.integer(13)), ending: try ending(row))
        return Stored(
            registration: registration, kind: kind, app: row.integer(4), bundle: row.integer(5),
            appVersion: row.integer(10), sdkVersion: row.integer(11), sender: row.integer(15),
            subtype: row.isNull(16) ? nil : row.text(16))
    }

    private func channel(_ kind: RegistrationKind, _ row: Row) throws(StoreError) -> Registration.Channel {
        switch kind {
        case .deviceToken, .deviceFID: return .device
        case .webToken, .webFID: return .web(endpoint: "", p256dh: "", auth: "", applicationKey: "")
        case .appleToken, .appleFID:
            guard !row.isNull(7) else { return .apple(nil) }
            guard let environment = APNsEnvironment(code: row.integer(6)),
                let token = APNsDeviceToken(bytes: row.blob(7))
            else { throw .damaged("an APNs token") }
            return .apple(APNsAddress(token: token, environment: environment))
        }
    }

    private func ending(_ row: Row) throws(StoreError) -> Registration.Ending? {
        guard !row.isNull(14) else { return nil }
        guard let ending = Registration.Ending(code: row.integer(14)) else { throw .damaged("an ending") }
        return ending
    }

    /// Adds what other tables hold.
    private func complete(_ stored: Stored) throws(StoreError) -> Registration {
        var registration = stored.registration
        registration.app = try texts.app(stored.app, on: connection)
        registration.bundleID = try texts.text(stored.bundle, on: connection)
        registration.appVersion = try texts.text(stored.appVersion, on: connection)
        registration.sdkVersion = try texts.text(stored.sdkVersion, on: connection)
        registration.sender = try texts.text(stored.sender, on: connection)
        registration.subtype = stored.subtype ?? registration.sender
        if case .web = registration.channel {
            registration.channel = try webChannel(of: registration.id)
        }
        return registration
    }

    private func webChannel(of id: RegistrationID) throws(StoreError) -> Registration.Channel {
        let channel = try connection.first(
            "SELECT endpoint, p256dh, auth, application_key FROM web_subscriptions WHERE registration = ?", id.value
        ) { row in
            Registration.Channel.web(
                endpoint: row.text(0), p256dh: row.text(1), auth: row.text(2), applicationKey: row.text(3))
        }
        guard let channel else { throw .damaged("a browser's registration without its endpoint") }
        return channel
    }
}
