public import Bytes
public import PushCore
public import PushModel

extension SQLiteStore: ImportedWebPushKeys {
    public func importedWebPushKeys(of project: ProjectNumber) -> [[UInt8]] {
        directory.current.webPushKeys[project, default: []].map(\.publicKey)
    }

    public func importedWebPushKey(of project: ProjectNumber, for publicKey: [UInt8]) -> Secret<String>? {
        directory.current.webPushKeys[project]?.first { $0.publicKey == publicKey }?.privateKey
    }

    public func importWebPushKey(
        _ privateKey: Secret<String>, publicKey: [UInt8], to project: ProjectNumber
    ) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in
            try context.importWebPushKey(privateKey, publicKey: publicKey, to: project)
        }
        try directory.reload()
    }
}

/// A pair as a setting: `web-push-key <project> <serial> <public half, base64url>`, and the private half in PEM, as other
/// keys are kept.
struct WebPushKeyRow: Sendable {
    private static let word = "web-push-key"

    var project: ProjectNumber
    var serial: Int64
    var publicKey: [UInt8]
    var privateKey: Secret<String>

    /// The newest of a project last.
    static func all(_ connection: Connection) throws(StoreError) -> [WebPushKeyRow] {
        try connection.all("SELECT name, value FROM settings WHERE name >= 'web-push-key ' AND name < 'web-push-key!'")
        {
            WebPushKeyRow(name: $0.text(0), value: $0.text(1))
        }.compactMap(\.self).sorted { $0.serial < $1.serial }
    }

    init(project: ProjectNumber, serial: Int64, publicKey: [UInt8], privateKey: Secret<String>) {
        self.project = project
        self.serial = serial
        self.publicKey = publicKey
        self.privateKey = privateKey
    }

    private init?(name: String, value: String) {
        let parts = name.split(separator: " ")
        guard parts.count == 4, let project = ProjectNumber(parts[1]), let serial = Int64(parts[2]),
            let key = Base64URL.decode(String(parts[3]))
        else { return nil }
        self.init(project: project, serial: serial, publicKey: key, privateKey: Secret(value))
    }

    var name: String { "\(Self.prefix(project))\(serial) \(Base64URL.encode(publicKey))" }

    /// What the names of a project's rows begin with.
    static func prefix(_ project: ProjectNumber) -> String { "\(word) \(project) " }
}

extension WriteContext {
    fileprivate func importWebPushKey(
        _ privateKey: Secret<String>, publicKey: [UInt8], to project: ProjectNumber
    ) throws(StoreError) {
        try requireProject(project)
        let rows = try WebPushKeyRow.all(connection).filter { $0.project == project }
        for row in rows where row.publicKey == publicKey {
            try connection.change("DELETE FROM settings WHERE name = ?", row.name)
        }
        let row = WebPushKeyRow(
            project: project, serial: (rows.last?.serial ?? 0) + 1, publicKey: publicKey, privateKey: privateKey)
        try connection.change("INSERT INTO settings (name, value) VALUES (?, ?)", row.name, privateKey.reveal())
        try directoryChanged()
    }

    /// Deletes what a project was given.
    func deleteWebPushKeys(of project: ProjectNumber) throws(StoreError) {
        for row in try WebPushKeyRow.all(connection) where row.project == project {
            try connection.change("DELETE FROM settings WHERE name = ?", row.name)
        }
    }
}
