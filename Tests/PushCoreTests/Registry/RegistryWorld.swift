import PushCore
import PushModel
import Timekeeping

/// One project with one Apple app, and the services over an in-memory store.
struct RegistryWorld {
    static let project = Project(
        id: ProjectID("demo-registry")!, number: ProjectNumber(value: 123_456_789_012), displayName: "",
        createdAt: Timestamp(seconds: 0))
    static let app = App(
        id: AppID("1:123456789012:ios:abcdef0123456789")!, project: project.number, bundleID: "com.example.app",
        apiKey: "AIza" + String(repeating: "x", count: 35), displayName: "")

    /// Somebody else's project, whose app has the same bundle id.
    static let foreignProject = Project(
        id: ProjectID("demo-foreign")!, number: ProjectNumber(value: 999_456_789_012), displayName: "",
        createdAt: Timestamp(seconds: 0))
    static let foreignApp = App(
        id: AppID("1:999456789012:ios:abcdef0123456789")!, project: foreignProject.number, bundleID: app.bundleID,
        apiKey: "AIza" + String(repeating: "y", count: 35), displayName: "")

    struct Directory: ProjectDirectory {
        private let projects = [RegistryWorld.project, RegistryWorld.foreignProject]
        private let apps = [RegistryWorld.app, RegistryWorld.foreignApp]

        func project(id: ProjectID) -> Project? { projects.first { $0.id == id } }
        func project(number: ProjectNumber) -> Project? { projects.first { $0.number == number } }
        func app(id: AppID) -> App? { apps.first { $0.id == id } }
        func app(apiKey: String) -> App? { apiKey == RegistryWorld.app.apiKey ? RegistryWorld.app : nil }
        func apps(of project: ProjectNumber) -> [App] { [RegistryWorld.app] }
        func serviceAccounts(email: String) -> [ServiceAccount] { [] }
        func serviceAccount(serial: Int64) -> ServiceAccount? { nil }
        func project(serverKeyHash hash: [UInt8]) -> Project? { nil }
        func apnsCredentials(of project: ProjectNumber) -> [APNsCredential] { [] }
    }

    let store = InMemoryRegistrationStore()
    let clock = ManualClock(Timestamp(seconds: 1_700_000_000))
    let sealing = TestSealing.make()

    var checkIn: DeviceCheckIn { DeviceCheckIn(store: store, clock: clock, sealing: sealing) }
    var installations: InstallationService { InstallationService(store: store, clock: clock, sealing: sealing) }
    var classic: ClassicRegistrar {
        ClassicRegistrar(
            store: store, directory: Directory(), installations: installations, clock: clock, sealing: sealing)
    }
    var instances: InstanceRegistrar {
        InstanceRegistrar(
            store: store, directory: Directory(), installations: installations, clock: clock, sealing: sealing)
    }

    /// A checked-in device with an installation, and the registration request that its SDK would send.
    func request(apnsToken: String = "s_" + String(repeating: "ab", count: 32)) async throws -> ClassicRegistration {
        guard case .admitted(let device) = try await checkIn.checkIn(nil) else { throw StoreError.notFound("device") }
        let grant = try await installations.create(wanted: "", app: Self.app, sdkVersion: "i:12.0.0")
        return ClassicRegistration(
            device: device, deviceField: String(device.androidID), app: Self.app.bundleID,
            sender: Self.project.number.description, subtype: Self.project.number.description, scope: "*",
            appInstance: grant.installation.fid.text, firebaseAppID: Self.app.id.text,
            installationAuth: grant.authToken, apnsToken: apnsToken, isApple: true, appVersion: "1.0",
            sdkVersion: "fiid-12.0.0")
    }
}
