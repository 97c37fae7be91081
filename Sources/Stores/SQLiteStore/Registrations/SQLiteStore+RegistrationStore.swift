public import PushCore
public import PushModel
public import Timekeeping

extension SQLiteStore: RegistrationStore {
    // MARK: Devices

    public func addDevice(_ device: DeviceCredentials, at time: Timestamp) async throws(StoreError) {
        let (androidID, secret) = (device.androidID, deviceSecret.stored(device.securityToken))
        try await writer.write { (context) throws(StoreError) in
            try context.addDevice(androidID: androidID, secretHash: secret, at: time)
        }
    }

    public func confirmDevice(_ device: DeviceCredentials, at time: Timestamp) async throws(StoreError) -> Bool {
        guard try isDevice(device) else { return false }
        try await writer.write { (context) throws(StoreError) in
            try context.noteVisit(androidID: device.androidID, at: time)
        }
        return true
    }

    public func isDevice(_ device: DeviceCredentials) throws(StoreError) -> Bool {
        let stored = try readers.read { (connection) throws(StoreError) in
            try connection.first("SELECT secret_hash FROM devices WHERE android_id = ?", device.androidID) {
                $0.blob(0)
            }
        }
        guard let stored else { return false }
        return deviceSecret.matches(device.securityToken, stored: stored)
    }

    public func knowsDevice(androidID: UInt64) throws(StoreError) -> Bool {
        try readers.read { (connection) throws(StoreError) in
            try connection.integer("SELECT count(*) FROM devices WHERE android_id = ?", androidID) > 0
        }
    }

    // MARK: Installations

    public func putInstallation(_ installation: Installation) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in try context.putInstallation(installation) }
    }

    public func installation(
        _ fid: FirebaseInstallationID, in project: ProjectNumber
    ) throws(StoreError) -> Installation? {
        try readers.read { (connection) throws(StoreError) in
            let row = try connection.first(
                """
                SELECT app, refresh_hash, sdk_version, created_at FROM instances
                WHERE fid = ? AND project = ? AND app IS NOT NULL
                """, InstanceName(fid.text), project.value
            ) { (app: $0.integer(0), hash: $0.blob(1), sdkVersion: $0.integer(2), createdAt: $0.integer(3)) }
            guard let row else { return nil }
            guard let app = try texts.app(row.app, on: connection) else { throw .damaged("an app id") }
            return Installation(
                fid: fid, project: project, app: app, refreshTokenHash: row.hash,
                sdkVersion: try texts.text(row.sdkVersion, on: connection),
                createdAt: Timestamp(milliseconds: row.createdAt))
        }
    }

    public func deleteInstallation(
        _ fid: FirebaseInstallationID, in project: ProjectNumber, at time: Timestamp
    ) async throws(StoreError) -> Bool {
        try await writer.write { (context) throws(StoreError) in
            try context.endingTopics { () throws(StoreError) in
                try context.deleteInstallation(fid, in: project, at: time)
            }
        }
    }

    // MARK: Registrations

    public func register(_ draft: RegistrationDraft) async throws(StoreError) -> Registration {
        try await writer.write { (context) throws(StoreError) in try context.register(draft) }
    }

    public func registration(_ id: RegistrationID) throws(StoreError) -> Registration? {
        try registrations.registration(id) { () throws(StoreError) in
            try readers.read { (connection) throws(StoreError) in
                try RegistrationReader(connection: connection, texts: texts).registration(id)
            }
        }
    }

    public func registration(fid: String, in project: ProjectNumber) throws(StoreError) -> Registration? {
        try readers.read { (connection) throws(StoreError) in
            try RegistrationReader(connection: connection, texts: texts).registration(fid: fid, in: project)
        }
    }

    public func hasKnown(fid: String, in project: ProjectNumber) throws(StoreError) -> Bool {
        try readers.read { (connection) throws(StoreError) in
            try RegistrationReader(connection: connection, texts: texts).hasKnown(fid: fid, in: project)
        }
    }

    public func end(
        _ id: RegistrationID, _ ending: Registration.Ending, at time: Timestamp
    ) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in
            try context.endingTopics { () throws(StoreError) in try context.end(id, ending, at: time) }
        }
    }

    public func endUnregistered(
        _ id: RegistrationID, address: APNsAddress, invalidAt: Timestamp?, at time: Timestamp
    ) async throws(StoreError) -> Bool {
        try await writer.write { (context) throws(StoreError) in
            try context.endingTopics { () throws(StoreError) in
                try context.endUnregistered(id, address: address, invalidAt: invalidAt, at: time)
            }
        }
    }

    public func setEnvironment(_ environment: APNsEnvironment, of id: RegistrationID) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in try context.setEnvironment(environment, of: id) }
    }

    public func endRegistrations(_ filter: RegistrationFilter, at time: Timestamp) async throws(StoreError) -> Int {
        try await writer.write { (context) throws(StoreError) in
            try context.endingTopics { () throws(StoreError) in try context.endRegistrations(filter, at: time) }
        }
    }
}
