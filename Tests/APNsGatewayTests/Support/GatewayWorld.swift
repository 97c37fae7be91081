import APNsSimulator
import Crypto
import EventLoop
import HTTPSemantics
import PushCore
import PushModel
import Synchronization
import Telemetry
import Timekeeping
import Transport

@testable import APNsGateway

/// A gateway whose APNs is the simulator, with one app on one device.
final class GatewayWorld: Sendable {
    static let bundleID = "com.example.pushdemo"

    let loops: EventLoopGroup
    let clock = VirtualClock(base: ManualClock(Timestamp(seconds: 1_800_000_000)))
    let simulator: APNsSimulator
    let device: SimulatedDevice
    let deviceToken: String
    let gateway: APNsGateway
    let directory = OneProject()
    let metrics = MetricRegistry()

    init(
        _ change: (inout APNsGatewayConfiguration) -> Void = { _ in },
        simulator changeSimulator: (inout APNsSimulatorOptions) -> Void = { _ in }
    ) throws {
        var options = APNsSimulatorOptions(endpoints: [.init(environment: .production)])
        changeSimulator(&options)
        loops = try EventLoopGroup(count: 2)
        let key = try P256PrivateKey.generate()
        simulator = try APNsSimulator.start(options, clock: clock, loops: [loops.loops[0]])
        simulator.register(ProviderKey(id: "KEYID00001", teamID: "TEAMID0001", publicKey: key.publicKey))
        device = simulator.device("phone")
        deviceToken = device.register(bundleID: Self.bundleID, environment: .production)
        directory.set(.signingKey(pem: key.pem, keyID: "KEYID00001", teamID: "TEAMID0001"))
        var configuration = APNsGatewayConfiguration(
            everythingAt: APNsEndpoint(host: "127.0.0.1", port: simulator.port),
            trust: .authorities(pem: Array(simulator.authorityPEM.utf8)))
        configuration.maximumConnections = 2
        change(&configuration)
        gateway = APNsGateway(
            directory: directory, loops: [loops.loops[1]], clock: clock, configuration: configuration,
            metrics: metrics)
    }

    func stop() async {
        await gateway.shutDown()
        simulator.stop()
        loops.shutDown()
    }

    func push(_ number: Int = 1, token: String? = nil, body: [UInt8] = Array(#"{"aps":{"alert":"Hello"}}"#.utf8))
        -> ApplePush
    {
        let digits = String(number)
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
        return ApplePush(
            pathToken: token ?? deviceToken, environment: .production,
            headers: [
                .init(key: "apns-topic", value: Self.bundleID), .init(key: "apns-push-type", value: "alert"),
                .init(key: "apns-priority", value: "10"), .init(key: "apns-expiration", value: "0"),
                .init(key: "apns-id", value: id),
            ], payload: body, expiresAt: clock.now().adding(seconds: 10_000))
    }

    func send(_ push: ApplePush) async -> GatewayAnswer {
        await withCheckedContinuation { continuation in
            gateway.send(push, from: OneProject.number, bundleID: Self.bundleID) { continuation.resume(returning: $0) }
        }
    }

    /// Sends pushes at once and waits for all answers.
    func send(_ numbers: ClosedRange<Int>, body: [UInt8]? = nil) async -> [Int: GatewayAnswer] {
        await withTaskGroup(of: (Int, GatewayAnswer).self) { group in
            for number in numbers {
                let push = body.map { self.push(number, body: $0) } ?? self.push(number)
                group.addTask { (number, await self.send(push)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// How often each `apns-id` was accepted by the simulator.
    var acceptedIDs: [String: Int] {
        simulator.requests.filter { $0.status == 200 }.reduce(into: [:]) { $0[$1.id, default: 0] += 1 }
    }

    var tokens: Set<String> { Set(simulator.requests.compactMap { $0.fields["authorization"] }) }
}

/// A directory with one project, which shows what the test chooses.
final class OneProject: ProjectDirectory {
    static let number = ProjectNumber(value: 123_456_789_012)

    private struct State {
        var credential: APNsCredential?
        var project: Project?
    }

    private let state = Mutex(State())

    init() { setProject("sample-project") }

    func set(_ kind: APNsCredential.Kind, serial: Int64 = 1) {
        state.withLock {
            $0.credential = APNsCredential(
                serial: serial, project: Self.number, kind: kind, environments: [.production, .sandbox], bundleIDs: [])
        }
    }

    func setProject(_ id: String) {
        let id = ProjectID(id)
        state.withLock {
            $0.project = id.map {
                Project(id: $0, number: Self.number, displayName: "", createdAt: Timestamp(seconds: 0))
            }
        }
    }

    func project(id: ProjectID) -> Project? { nil }
    func project(number: ProjectNumber) -> Project? { state.withLock(\.project) }
    func app(id: AppID) -> App? { nil }
    func app(apiKey: String) -> App? { nil }
    func apps(of project: ProjectNumber) -> [App] { [] }
    func serviceAccounts(email: String) -> [ServiceAccount] { [] }
    func serviceAccount(serial: Int64) -> ServiceAccount? { nil }
    func project(serverKeyHash hash: [UInt8]) -> Project? { nil }
    func apnsCredentials(of project: ProjectNumber) -> [APNsCredential] {
        state.withLock { $0.credential.map { [$0] } ?? [] }
    }
}
