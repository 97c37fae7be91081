import APNsGateway
import EventLoop
import Glibc
import JSON
import PushCore
import PushModel
import SQLiteStore
import Synchronization
import Timekeeping
import Transport

extension BenchLoad {
    /// Pushes through the gateway into a server that answers every path.
    static let gateway = BenchLoad(
        name: "gateway",
        summary: "pushes to an HTTP/2 server. --data-dir DIR --to HOST:PORT --ca FILE --tokens FILE --pushes N "
            + "--waiting N (pushes handed over and not answered) --connections N --body-bytes N"
    ) { arguments in
        let world = try await BenchWorld(directory: try arguments.text("data-dir"))
        let address = try arguments.address("to")
        var configuration = APNsGatewayConfiguration(
            everythingAt: APNsEndpoint(host: address.host, port: address.port, serverName: "localhost"),
            trust: .authorities(pem: try TextFile.read(try arguments.text("ca"))))
        configuration.maximumConnections = try arguments.count("connections", default: 1)
        let loops = try EventLoopGroup(count: 1)
        let gateway = APNsGateway(
            directory: world.store, loops: loops.loops, clock: world.clock, configuration: configuration)
        let feeder = PushFeeder(
            gateway: gateway, project: world.project.number,
            pushes: try pushes(arguments, until: world.clock.now().adding(seconds: 3600)))
        try await feeder.warmUp()
        let count = try arguments.count("pushes", default: 100_000)
        let watch = Stopwatch()
        let latencies = try await feeder.run(count, waiting: try arguments.count("waiting", default: 1000))
        var result = watch.report(count)
        for member in latencies.report { result[member.name] = member.value }
        await gateway.shutDown()
        world.store.close()
        loops.shutDown()
        return result
    }

    /// One push for each device token of a file with a token a line.
    private static func pushes(_ arguments: BenchArguments, until expiry: Timestamp) throws -> [ApplePush] {
        let tokens = String(decoding: try TextFile.read(try arguments.text("tokens")), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        let frame = #"{"aps":{"alert":{"title":"Goal!","body":""}}}"#
        let bytes = max(frame.utf8.count, try arguments.count("body-bytes", default: 292))
        let body = String(repeating: "x", count: bytes - frame.utf8.count)
        let payload = Array(#"{"aps":{"alert":{"title":"Goal!","body":"\#(body)"}}}"#.utf8)
        return tokens.enumerated().map { number, token in
            let tail = String(1_000_000_000_000 + number).dropFirst()
            return ApplePush(
                pathToken: token, environment: .production,
                headers: [
                    .init(key: "apns-topic", value: BenchWorld.bundleID), .init(key: "apns-push-type", value: "alert"),
                    .init(key: "apns-priority", value: "10"), .init(key: "apns-expiration", value: "0"),
                    .init(key: "apns-id", value: "eabeae54-14a8-41e5-b60b-\(tail)"),
                ], payload: payload, expiresAt: expiry)
        }
    }
}

/// Hands pushes to a gateway so that a fixed number of them waits for an answer at any time.
private final class PushFeeder: Sendable {
    private struct State {
        var started = 0
        var ended = 0
        var total = 0
        var latencies = Latencies(expected: 0)
        var failure: String?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let gateway: APNsGateway
    private let project: ProjectNumber
    private let pushes: [ApplePush]
    private let state = Mutex(State())

    init(gateway: APNsGateway, project: ProjectNumber, pushes: [ApplePush]) {
        self.gateway = gateway
        self.project = project
        self.pushes = pushes
    }

    /// Connects and proves the provider token, so that neither is measured.
    func warmUp() async throws {
        guard let push = pushes.first else { throw BenchFailure.usage("--tokens names a file without tokens.") }
        let answer = await withCheckedContinuation { continuation in
            gateway.send(push, from: project, bundleID: BenchWorld.bundleID) { continuation.resume(returning: $0) }
        }
        guard case .accepted = answer else { throw BenchFailure.failed("The first push: \(answer)") }
    }

    func run(_ count: Int, waiting: Int) async throws -> Latencies {
        await withCheckedContinuation { continuation in
            state.withLock {
                $0 = State(total: count, latencies: Latencies(expected: count), waiter: continuation)
            }
            for _ in 0..<min(count, waiting) { startNext() }
        }
        return try state.withLock { state in
            if let failure = state.failure { throw BenchFailure.failed("A push was not taken: \(failure)") }
            return state.latencies
        }
    }

    private func startNext() {
        let number = state.withLock { state -> Int? in
            guard state.started < state.total else { return nil }
            defer { state.started += 1 }
            return state.started
        }
        guard let number else { return }
        let start = MonotonicTime.now()
        gateway.send(pushes[number % pushes.count], from: project, bundleID: BenchWorld.bundleID) { [self] answer in
            ended(answer, after: MonotonicTime.now().since(start).wholeNanoseconds)
        }
    }

    private func ended(_ answer: GatewayAnswer, after nanoseconds: Int64) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.ended += 1
            state.latencies.append(nanoseconds)
            if case .accepted = answer {} else if state.failure == nil { state.failure = "\(answer)" }
            guard state.ended == state.total else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        if let waiter { waiter.resume() } else { startNext() }
    }
}
