public import PushCore
public import PushModel
import Timekeeping

extension SQLiteStore: ProjectAdministration {
    public func createProject(id: ProjectID, displayName: String) async throws(StoreError) -> Project {
        let project = Project(
            id: id, number: identity.projectNumber(), displayName: displayName, createdAt: clock.now())
        try await change { (context) throws(StoreError) in try context.addProject(project) }
        return project
    }

    public func projects() throws(StoreError) -> [Project] {
        directory.current.projects
    }

    public func deleteProject(_ number: ProjectNumber) async throws(StoreError) {
        let removal = ProjectRemoval(number: number)
        try await change { (context) throws(StoreError) in try removal.begin(in: context) }
        try await finish(removal)
    }

    private func finish(_ removal: ProjectRemoval) async throws(StoreError) {
        while try await writer.write({ (context) throws(StoreError) in try removal.deleteMessages(in: context) }) {}
        var place: Int64? = 0
        while let current = place {
            place = try await writer.write { (context) throws(StoreError) in
                try removal.advance(from: current, in: context)
            }
        }
        place = 0
        while let current = place {
            place = try await writer.write { (context) throws(StoreError) in
                try removal.deleteEvents(from: current, in: context)
            }
        }
        try await writer.write { (context) throws(StoreError) in try removal.end(in: context) }
    }

    public func createApp(
        in project: ProjectNumber, platform: AppPlatform, bundleID: String, displayName: String
    ) async throws(StoreError) -> App {
        guard let id = identity.appID(project: project, platform: platform) else {
            throw .notFound("There is no project \(project).")
        }
        let app = App(
            id: id, project: project, bundleID: bundleID, apiKey: identity.apiKey(), displayName: displayName)
        let now = clock.now().milliseconds
        try await change { (context) throws(StoreError) in try context.addApp(app, createdAt: now) }
        return app
    }

    public func addServiceAccount(
        email: String, in project: ProjectNumber, keyID: String, publicKey: [UInt8]
    ) async throws(StoreError) -> ServiceAccount {
        let account = ServiceAccount(
            serial: 0, email: email, project: project, keyID: keyID, publicKey: publicKey, isEnabled: true)
        let now = clock.now().milliseconds
        var added = account
        added.serial = try await change { (context) throws(StoreError) in
            try context.addServiceAccount(account, createdAt: now)
        }
        return added
    }

    public func setServiceAccount(serial: Int64, enabled: Bool) async throws(StoreError) {
        try await change { (context) throws(StoreError) in
            try context.setServiceAccount(serial: serial, enabled: enabled)
        }
    }

    @discardableResult
    public func addServerKey(hash: [UInt8], to project: ProjectNumber) async throws(StoreError) -> Int64 {
        let now = clock.now().milliseconds
        return try await change { (context) throws(StoreError) in
            try context.addServerKey(hash: hash, to: project, createdAt: now)
        }
    }

    public func importAPNsCredential(
        _ kind: APNsCredential.Kind, project: ProjectNumber, environments: Set<APNsEnvironment>,
        bundleIDs: Set<String>
    ) async throws(StoreError) -> APNsCredential {
        let credential = APNsCredential(
            serial: 0, project: project, kind: kind, environments: environments, bundleIDs: bundleIDs)
        let now = clock.now().milliseconds
        var imported = credential
        imported.serial = try await change { (context) throws(StoreError) in
            try context.importCredential(credential, createdAt: now)
        }
        return imported
    }

    public func removeAPNsCredential(serial: Int64) async throws(StoreError) {
        try await change { (context) throws(StoreError) in try context.removeCredential(serial: serial) }
    }

    public func renameProject(_ number: ProjectNumber, displayName: String) async throws(StoreError) {
        try await change { (context) throws(StoreError) in
            try context.renameProject(number, displayName: displayName)
        }
    }

    public func removeApp(_ id: AppID) async throws(StoreError) {
        try await change { (context) throws(StoreError) in try context.removeApp(id) }
        let now = clock.now()
        var place: Int64? = 0
        while let current = place {
            place = try await writer.write { (context) throws(StoreError) in
                try context.endRegistrations(of: id, from: current, at: now)
            }
        }
    }

    public func serviceAccounts(of project: ProjectNumber) -> [ServiceAccount] {
        directory.current.accountsBySerial.values.filter { $0.project == project }.sorted { $0.serial < $1.serial }
    }

    public func removeServiceAccount(serial: Int64) async throws(StoreError) {
        try await change { (context) throws(StoreError) in try context.removeServiceAccount(serial: serial) }
    }

    public func serverKeys(of project: ProjectNumber) throws(StoreError) -> [ServerKey] {
        try readers.read { (connection) throws(StoreError) in
            try connection.all(
                "SELECT serial, created_at FROM server_keys WHERE project = ? ORDER BY serial", project.value
            ) { ServerKey(serial: $0.integer(0), createdAt: Timestamp(milliseconds: $0.integer(1))) }
        }
    }

    public func removeServerKey(serial: Int64, of project: ProjectNumber) async throws(StoreError) {
        try await change { (context) throws(StoreError) in try context.removeServerKey(serial: serial, of: project) }
    }

    public func progress(of project: ProjectNumber) throws(StoreError) -> ProjectProgress {
        try readers.read { (connection) throws(StoreError) in
            let hasDeliveries =
                try connection.integer(
                    "SELECT EXISTS (SELECT 1 FROM delivery_counts WHERE project = ?)", project.value) != 0
            // Registrations have no index by project; each notes something of itself here.
            let hasRegistrations =
                try connection.integer(
                    "SELECT EXISTS (SELECT 1 FROM segment_values WHERE project = ?)", project.value) != 0
            return ProjectProgress(
                hasRegistrations: hasRegistrations || hasDeliveries, hasDeliveries: hasDeliveries)
        }
    }

    /// Changes the directory and reads it again, so that the caller's next question sees the change.
    private func change<Result: Sendable>(
        _ work: @escaping @Sendable (WriteContext) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        let result = try await writer.write(work)
        try directory.reload()
        return result
    }
}
