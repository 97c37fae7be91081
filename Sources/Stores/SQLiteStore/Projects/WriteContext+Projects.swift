import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    func addProject(_ project: Project) throws(StoreError) {
        let isTaken = try connection.integer("SELECT count(*) FROM projects WHERE id = ?", project.id.text) > 0
        guard !isTaken else { throw .conflict("A project with the id \(project.id) exists.") }
        try connection.change(
            "INSERT INTO projects (number, id, display_name, created_at) VALUES (?, ?, ?, ?)", project.number.value,
            project.id.text, project.displayName, project.createdAt.milliseconds)
        try directoryChanged()
    }

    func addApp(_ app: App, createdAt: Int64) throws(StoreError) {
        try requireProject(app.project)
        let isTaken = try connection.integer(
            "SELECT count(*) FROM apps WHERE project = ? AND platform = ? AND bundle_id = ? AND bundle_id <> ''",
            app.project.value, app.id.platform.rawValue, app.bundleID)
        guard isTaken == 0 else { throw .conflict("The project has an app \(app.bundleID) for that platform.") }
        try connection.change(
            """
            INSERT INTO apps (project, id, platform, bundle_id, api_key, display_name, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, app.project.value, app.id.text, app.id.platform.rawValue, app.bundleID, app.apiKey, app.displayName,
            createdAt)
        try directoryChanged()
    }

    /// - Returns: The serial number.
    func addServiceAccount(_ account: ServiceAccount, createdAt: Int64) throws(StoreError) -> Int64 {
        try requireProject(account.project)
        let isTaken = try connection.integer(
            "SELECT count(*) FROM service_accounts WHERE email = ? AND key_id = ?", account.email, account.keyID)
        guard isTaken == 0 else { throw .conflict("The service account \(account.email) has that key.") }
        let serial = try connection.first(
            """
            INSERT INTO service_accounts (project, email, key_id, public_key, enabled, created_at)
            VALUES (?, ?, ?, ?, ?, ?) RETURNING serial
            """, account.project.value, account.email, account.keyID, account.publicKey, account.isEnabled ? 1 : 0,
            createdAt
        ) { $0.integer(0) }
        try directoryChanged()
        return serial ?? 0
    }

    func setServiceAccount(serial: Int64, enabled: Bool) throws(StoreError) {
        let changed = try connection.change(
            "UPDATE service_accounts SET enabled = ? WHERE serial = ?", enabled ? 1 : 0, serial)
        guard changed > 0 else { throw .notFound("There is no such service account.") }
        try directoryChanged()
    }

    /// - Returns: The serial number.
    func addServerKey(hash: [UInt8], to project: ProjectNumber, createdAt: Int64) throws(StoreError) -> Int64 {
        try requireProject(project)
        let serial = try connection.first(
            "INSERT INTO server_keys (project, hash, created_at) VALUES (?, ?, ?) RETURNING serial", project.value,
            hash, createdAt
        ) { $0.integer(0) }
        try directoryChanged()
        return serial ?? 0
    }

    func renameProject(_ number: ProjectNumber, displayName: String) throws(StoreError) {
        try requireProject(number)
        try connection.change("UPDATE projects SET display_name = ? WHERE number = ?", displayName, number.value)
        try directoryChanged()
    }

    func removeApp(_ id: AppID) throws(StoreError) {
        guard try connection.change("DELETE FROM apps WHERE id = ?", id.text) > 0 else {
            throw .notFound("There is no app \(id).")
        }
        try directoryChanged()
    }

    /// Ends the app's registrations among some thousand numbers after `place`: other writes go between.
    /// - Returns: The place to go on from; `nil` when nothing is left.
    func endRegistrations(of app: AppID, from place: Int64, at time: Timestamp) throws(StoreError) -> Int64? {
        guard let text = try texts.knownID(of: app.text, on: connection) else { return nil }
        let next = place &+ 5000
        try connection.change(
            """
            UPDATE registrations SET ending = ?, ended_at = ?
            WHERE id > ? AND id <= ? AND project = ? AND app = ? AND ending IS NULL
            """, Registration.Ending.installationDeleted.code, time.milliseconds, place, next, app.project.value, text)
        try dropTopicsOfEnded()
        return next < (try connection.integer("SELECT ifnull(max(id), 0) FROM registrations")) ? next : nil
    }

    func removeServiceAccount(serial: Int64) throws(StoreError) {
        guard try connection.change("DELETE FROM service_accounts WHERE serial = ?", serial) > 0 else {
            throw .notFound("There is no such service account.")
        }
        try directoryChanged()
    }

    func removeServerKey(serial: Int64, of project: ProjectNumber) throws(StoreError) {
        guard
            try connection.change("DELETE FROM server_keys WHERE serial = ? AND project = ?", serial, project.value) > 0
        else { throw .notFound("There is no such server key.") }
        try directoryChanged()
    }

    func requireProject(_ number: ProjectNumber) throws(StoreError) {
        let count = try connection.integer("SELECT count(*) FROM projects WHERE number = ?", number.value)
        guard count > 0 else { throw .notFound("There is no project \(number).") }
    }

    /// Tells every process that its snapshot is old.
    func directoryChanged() throws(StoreError) {
        try connection.change("UPDATE settings SET value = value + 1 WHERE name = 'directory-version'")
    }
}
