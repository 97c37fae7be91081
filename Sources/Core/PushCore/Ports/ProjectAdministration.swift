public import PushModel

/// Changes to projects, apps and keys. Each is durable when it returns.
public protocol ProjectAdministration: Sendable {
    /// - Throws: `StoreError.conflict` when the id is taken.
    func createProject(id: ProjectID, displayName: String) async throws(StoreError) -> Project
    func projects() throws(StoreError) -> [Project]
    /// Deletes the project with everything that belongs to it.
    func deleteProject(_ number: ProjectNumber) async throws(StoreError)
    func createApp(
        in project: ProjectNumber, platform: AppPlatform, bundleID: String, displayName: String
    ) async throws(StoreError) -> App
    /// - Parameter publicKey: SubjectPublicKeyInfo in DER.
    func addServiceAccount(
        email: String, in project: ProjectNumber, keyID: String, publicKey: [UInt8]
    ) async throws(StoreError) -> ServiceAccount
    func setServiceAccount(serial: Int64, enabled: Bool) async throws(StoreError)
    /// - Parameter hash: SHA-256 of the key's text; the text itself is not kept.
    /// - Returns: The key's serial number.
    @discardableResult
    func addServerKey(hash: [UInt8], to project: ProjectNumber) async throws(StoreError) -> Int64
    /// Replaces the credentials that serve the same environments and bundle ids.
    func importAPNsCredential(
        _ kind: APNsCredential.Kind, project: ProjectNumber, environments: Set<APNsEnvironment>,
        bundleIDs: Set<String>
    ) async throws(StoreError) -> APNsCredential
    func removeAPNsCredential(serial: Int64) async throws(StoreError)
    func renameProject(_ number: ProjectNumber, displayName: String) async throws(StoreError)
    /// Ends the registrations of the app, too.
    func removeApp(_ id: AppID) async throws(StoreError)
    /// Of one project, oldest first.
    func serviceAccounts(of project: ProjectNumber) -> [ServiceAccount]
    func removeServiceAccount(serial: Int64) async throws(StoreError)
    /// Of one project, oldest first.
    func serverKeys(of project: ProjectNumber) throws(StoreError) -> [ServerKey]
    func removeServerKey(serial: Int64, of project: ProjectNumber) async throws(StoreError)
    func progress(of project: ProjectNumber) throws(StoreError) -> ProjectProgress
}

/// How far a project has come.
public struct ProjectProgress: Sendable, Equatable {
    /// Whether a device ever registered.
    public var hasRegistrations: Bool
    /// Whether a delivery of the project ever ended, well or not.
    public var hasDeliveries: Bool

    public init(hasRegistrations: Bool, hasDeliveries: Bool) {
        self.hasRegistrations = hasRegistrations
        self.hasDeliveries = hasDeliveries
    }
}
