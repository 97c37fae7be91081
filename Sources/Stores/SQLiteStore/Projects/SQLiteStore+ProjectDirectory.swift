public import PushCore
public import PushModel

extension SQLiteStore: ProjectDirectory {
    public func project(id: ProjectID) -> Project? {
        directory.find { $0.projectsByID[id] }
    }

    public func project(number: ProjectNumber) -> Project? {
        directory.find { $0.projectsByNumber[number] }
    }

    public func app(id: AppID) -> App? {
        directory.find { $0.appsByID[id] }
    }

    public func app(apiKey: String) -> App? {
        directory.find { $0.appsByKey[apiKey] }
    }

    public func apps(of project: ProjectNumber) -> [App] {
        directory.current.appsByProject[project] ?? []
    }

    public func serviceAccounts(email: String) -> [ServiceAccount] {
        directory.find { $0.accountsByEmail[email] } ?? []
    }

    public func serviceAccount(serial: Int64) -> ServiceAccount? {
        directory.find { $0.accountsBySerial[serial] }
    }

    public func project(serverKeyHash hash: [UInt8]) -> Project? {
        directory.find { snapshot in
            snapshot.projectsByServerKey[hash].flatMap { snapshot.projectsByNumber[$0] }
        }
    }

    public func apnsCredentials(of project: ProjectNumber) -> [APNsCredential] {
        directory.current.credentials[project] ?? []
    }

    /// How many legacy server keys a project has.
    public func serverKeyCount(of project: ProjectNumber) -> Int {
        directory.current.projectsByServerKey.values.count { $0 == project }
    }
}
