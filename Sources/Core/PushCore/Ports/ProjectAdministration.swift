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
    func addServerKey(hash: [UInt8], to project: ProjectNumber) async throws(StoreError)
    /// Replaces the credentials that serve the same environments and bundle ids.
    func importAPNsCredential(
        _ kind: APNsCredential.Kind, project: ProjectNumber, environments: Set<APNsEnvironment>,
        bundleIDs: Set<String>
    ) async throws(StoreError) -> APNsCredential
    func removeAPNsCredential(serial: Int64) async throws(StoreError)
}
