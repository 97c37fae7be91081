public import PushModel

/// Who may speak for which project. Answers from memory, so a hot path may ask on every request; an adapter keeps the
/// answers at most a second behind other processes that change the store.
public protocol ProjectDirectory: Sendable {
    func project(id: ProjectID) -> Project?
    func project(number: ProjectNumber) -> Project?
    func app(id: AppID) -> App?
    /// The app whose SDK sends this API key.
    func app(apiKey: String) -> App?
    func apps(of project: ProjectNumber) -> [App]
    func serviceAccounts(email: String) -> [ServiceAccount]
    func serviceAccount(serial: Int64) -> ServiceAccount?
    /// The project of a legacy server key.
    /// - Parameter hash: SHA-256 of the key's text.
    func project(serverKeyHash hash: [UInt8]) -> Project?
    func apnsCredentials(of project: ProjectNumber) -> [APNsCredential]
}

extension ProjectDirectory {
    /// The project that a URL names by its id or by its number.
    public func project(named text: some StringProtocol) -> Project? {
        if let number = ProjectNumber(text) { return project(number: number) }
        return ProjectID(text).flatMap { project(id: $0) }
    }
}
