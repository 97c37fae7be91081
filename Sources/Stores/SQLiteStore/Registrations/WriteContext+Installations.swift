import PushCore
import PushModel
import Timekeeping

/// An app instance (a FID in a project) is one row, with or without an installation: the oldest clients register
/// without one.
extension WriteContext {
    func putInstallation(_ installation: Installation) throws(StoreError) {
        try requireProject(installation.project)
        let instance = try instance(installation.fid.text, in: installation.project)
        let app = try texts.id(of: installation.app.text, on: connection)
        let sdkVersion = try texts.id(of: installation.sdkVersion, on: connection)
        let owner = try connection.integer("SELECT app FROM instances WHERE serial = ?", instance)
        guard owner == 0 || owner == app else {
            throw .conflict("Another app of the project has this installation id.")
        }
        try connection.change(
            """
            UPDATE instances SET app = ?, refresh_hash = ?, sdk_version = ?, created_at = ifnull(created_at, ?)
            WHERE serial = ?
            """, app, installation.refreshTokenHash, sdkVersion, installation.createdAt.milliseconds, instance)
    }

    /// - Returns: Whether there was an installation.
    func deleteInstallation(
        _ fid: FirebaseInstallationID, in project: ProjectNumber, at time: Timestamp
    ) throws(StoreError) -> Bool {
        let found = try connection.first(
            "SELECT serial, app FROM instances WHERE fid = ? AND project = ?", InstanceName(fid.text), project.value
        ) { (serial: $0.integer(0), isInstalled: !$0.isNull(1)) }
        guard let found else { return false }
        try connection.change(
            "UPDATE registrations SET ending = ?, ended_at = ? WHERE instance = ? AND ending IS NULL",
            Registration.Ending.installationDeleted.code, time.milliseconds, found.serial)
        try connection.change(
            "UPDATE instances SET app = NULL, refresh_hash = NULL, sdk_version = NULL, created_at = NULL WHERE serial = ?",
            found.serial)
        return found.isInstalled
    }

    /// The row of an app instance, which is added when it is new.
    func instance(_ fid: String, in project: ProjectNumber) throws(StoreError) -> Int64 {
        let name = InstanceName(fid)
        let known = try connection.first(
            "SELECT serial FROM instances WHERE fid = ? AND project = ?", name, project.value
        ) { $0.integer(0) }
        if let known { return known }
        return try connection.first(
            "INSERT INTO instances (fid, project) VALUES (?, ?) RETURNING serial", name, project.value
        ) { $0.integer(0) } ?? 0
    }
}
