import PushCore
import PushModel
import Timekeeping

/// All projects, apps and keys at one moment, in memory.
final class DirectorySnapshot: Sendable {
    /// Grows with each change, by whatever process.
    let version: Int64
    let projects: [Project]
    let projectsByID: [ProjectID: Project]
    let projectsByNumber: [ProjectNumber: Project]
    let appsByID: [AppID: App]
    let appsByKey: [String: App]
    let appsByProject: [ProjectNumber: [App]]
    let accountsByEmail: [String: [ServiceAccount]]
    let accountsBySerial: [Int64: ServiceAccount]
    let projectsByServerKey: [[UInt8]: ProjectNumber]
    let credentials: [ProjectNumber: [APNsCredential]]
    /// The newest last.
    let webPushKeys: [ProjectNumber: [WebPushKeyRow]]

    init(_ connection: Connection) throws(StoreError) {
        let content = try connection.readingOneState { () throws(StoreError) in
            (
                try Self.version(connection), try Self.projects(connection), try Self.apps(connection),
                try Self.accounts(connection), try Self.serverKeys(connection), try Self.credentials(connection),
                try WebPushKeyRow.all(connection)
            )
        }
        version = content.0
        projects = content.1
        projectsByID = Dictionary(content.1.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        projectsByNumber = Dictionary(content.1.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
        appsByID = Dictionary(content.2.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        appsByKey = Dictionary(content.2.map { ($0.apiKey, $0) }, uniquingKeysWith: { $1 })
        appsByProject = Dictionary(grouping: content.2, by: \.project)
        accountsByEmail = Dictionary(grouping: content.3, by: \.email)
        accountsBySerial = Dictionary(content.3.map { ($0.serial, $0) }, uniquingKeysWith: { $1 })
        projectsByServerKey = Dictionary(content.4, uniquingKeysWith: { $1 })
        credentials = Dictionary(grouping: content.5, by: \.project)
        webPushKeys = Dictionary(grouping: content.6, by: \.project)
    }

    /// The version of what the database holds now.
    static func version(_ connection: Connection) throws(StoreError) -> Int64 {
        try connection.integer("SELECT value FROM settings WHERE name = 'directory-version'")
    }
}

extension DirectorySnapshot {
    private static func projects(_ connection: Connection) throws(StoreError) -> [Project] {
        try connection.all("SELECT id, number, display_name, created_at FROM projects ORDER BY created_at, id") {
            (row) throws(StoreError) in
            guard let id = ProjectID(row.text(0)) else { throw .damaged("a project id") }
            return Project(
                id: id, number: ProjectNumber(value: UInt64(bitPattern: row.integer(1))), displayName: row.text(2),
                createdAt: Timestamp(milliseconds: row.integer(3)))
        }
    }

    private static func apps(_ connection: Connection) throws(StoreError) -> [App] {
        try connection.all("SELECT id, bundle_id, api_key, display_name FROM apps ORDER BY serial") {
            (row) throws(StoreError) in
            guard let id = AppID(row.text(0)) else { throw .damaged("an app id") }
            return App(
                id: id, project: id.project, bundleID: row.text(1), apiKey: row.text(2), displayName: row.text(3))
        }
    }

    private static func accounts(_ connection: Connection) throws(StoreError) -> [ServiceAccount] {
        try connection.all(
            "SELECT serial, email, project, key_id, public_key, enabled FROM service_accounts ORDER BY serial"
        ) { row in
            ServiceAccount(
                serial: row.integer(0), email: row.text(1),
                project: ProjectNumber(value: UInt64(bitPattern: row.integer(2))), keyID: row.text(3),
                publicKey: row.blob(4), isEnabled: row.integer(5) != 0)
        }
    }

    private static func serverKeys(_ connection: Connection) throws(StoreError) -> [([UInt8], ProjectNumber)] {
        try connection.all("SELECT hash, project FROM server_keys") { row in
            (row.blob(0), ProjectNumber(value: UInt64(bitPattern: row.integer(1))))
        }
    }

    private static func credentials(_ connection: Connection) throws(StoreError) -> [APNsCredential] {
        try connection.all(CredentialRow.query) { (row) throws(StoreError) in
            CredentialRow.credential(row)
        }
    }
}
