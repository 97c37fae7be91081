import Crypto
public import EventLoop
public import PushCore
public import PushModel
import Synchronization
public import Telemetry
public import Timekeeping
import Transport

/// Sends pushes to APNs: one pool of connections for each credential and environment, one provider token for each key.
///
/// Pushes of `demo-` projects go only to an endpoint on this machine. Source: Apple, "Sending notification requests to
/// APNs", "Establishing a token-based connection to APNs".
public final class APNsGateway: AppleGateway {
    private struct PoolKey: Hashable {
        var credential: Int64
        var environment: APNsEnvironment
    }

    private struct SigningKey: Hashable {
        var keyID: String
        var teamID: String
        var pem: String
    }

    private struct State {
        var pools: [PoolKey: APNsPool] = [:]
        var tokens: [SigningKey: ProviderToken] = [:]
        var nextLoop = 0
        var isClosed = false
    }

    private let directory: any ProjectDirectory
    private let loops: [EventLoop]
    private let clock: any WallClock
    private let configuration: APNsGatewayConfiguration
    private let measures: APNsMeasures
    private let logger: Logger
    private let gathering = Gathering()
    private let state = Mutex(State())

    /// - Parameter loops: At least one; pools are spread over them.
    public init(
        directory: any ProjectDirectory, loops: [EventLoop], clock: any WallClock,
        configuration: APNsGatewayConfiguration = .init(), metrics: MetricRegistry = MetricRegistry(),
        logger: Logger = .silent
    ) {
        self.directory = directory
        self.loops = loops
        self.clock = clock
        self.configuration = configuration
        measures = APNsMeasures(metrics)
        self.logger = logger
    }

    public func send(
        _ push: ApplePush, from project: ProjectNumber, bundleID: String,
        completion: @escaping @Sendable (GatewayAnswer) -> Void
    ) {
        let credential = directory.apnsCredentials(of: project).serving(push.environment, bundleID: bundleID)
        guard let credential else {
            return completion(.rejected(.credentialProblem("the project has no APNs credential for this app")))
        }
        do throws(SendError) {
            let pool = try pool(of: credential, push.environment)
            pool.enqueue(PushRequest(push, enqueuedAt: .now(), completion: completion))
        } catch {
            completion(.rejected(error))
        }
    }

    public func sendingTogether(_ body: () -> Void) {
        gathering.begin()
        body()
        guard gathering.end() else { return }
        for pool in state.withLock({ Array($0.pools.values) }) { pool.collectSoon() }
    }

    /// Takes no more pushes, waits for answers that are still to come, and closes all connections.
    public func shutDown() async {
        let pools = state.withLock { state in
            state.isClosed = true
            defer { state.pools = [:] }
            return Array(state.pools.values)
        }
        for pool in pools {
            await withCheckedContinuation { continuation in pool.shutDown { continuation.resume() } }
        }
    }

    // MARK: Pools

    private func pool(
        of credential: APNsCredential, _ environment: APNsEnvironment
    ) throws(SendError) -> APNsPool {
        let key = PoolKey(credential: credential.serial, environment: environment)
        let (pool, outdated) = try state.withLock { (state) throws(SendError) in
            if let known = state.pools[key], known.credential.kind == credential.kind { return (known, [APNsPool]()) }
            let outdated = takeOutdatedPools(besides: credential, environment, from: &state)
            let fresh = try makePool(credential, environment, in: &state)
            state.pools[key] = fresh
            return (fresh, outdated)
        }
        for pool in outdated { pool.shutDown {} }
        return pool
    }

    /// Pools of the project whose credential is no longer in the directory, or was changed.
    private func takeOutdatedPools(
        besides credential: APNsCredential, _ environment: APNsEnvironment, from state: inout State
    ) -> [APNsPool] {
        let current = Set(directory.apnsCredentials(of: credential.project).map(\.serial))
        let outdated = state.pools.filter { key, pool in
            pool.credential.project == credential.project
                && (!current.contains(key.credential)
                    || key == PoolKey(credential: credential.serial, environment: environment))
        }
        for key in outdated.keys { state.pools[key] = nil }
        return Array(outdated.values)
    }

    private func makePool(
        _ credential: APNsCredential, _ environment: APNsEnvironment, in state: inout State
    ) throws(SendError) -> APNsPool {
        guard !state.isClosed, !loops.isEmpty else { throw SendError(.unavailable, "The gateway has ended.") }
        let staysOnThisMachine = directory.project(number: credential.project)?.id.isDemo ?? true
        let endpoint = environment == .production ? configuration.production : configuration.sandbox
        guard !staysOnThisMachine || endpoint.isOnThisMachine else {
            throw .credentialProblem("pushes of demo projects never leave the machine")
        }
        let loop = loops[state.nextLoop % loops.count]
        state.nextLoop = (state.nextLoop + 1) % loops.count
        return APNsPool(
            credential: credential, endpoint: endpoint, loop: loop, configuration: configuration,
            token: try token(for: credential.kind, in: &state), tls: try tls(for: credential.kind), clock: clock,
            staysOnThisMachine: staysOnThisMachine, gathering: gathering, measures: measures, logger: logger)
    }

    /// One token for each key, whatever the number of its pools.
    private func token(for kind: APNsCredential.Kind, in state: inout State) throws(SendError) -> ProviderToken? {
        guard case .signingKey(let pem, let keyID, let teamID) = kind else { return nil }
        let key = SigningKey(keyID: keyID, teamID: teamID, pem: pem)
        if let known = state.tokens[key] { return known }
        do throws(KeyError) {
            let token = try ProviderToken(pem: pem, keyID: keyID, teamID: teamID, clock: clock)
            state.tokens[key] = token
            return token
        } catch {
            throw .credentialProblem("the APNs key cannot be read. \(error)")
        }
    }

    private func tls(for kind: APNsCredential.Kind) throws(SendError) -> TLSClientContext {
        var identity: TLSIdentity?
        if case .certificate(let chain, let key) = kind {
            identity = TLSIdentity(certificateChainPEM: Array(chain.utf8), privateKeyPEM: Array(key.utf8))
        }
        do throws(TransportError) {
            return try TLSClientContext(
                trust: configuration.trust, protocols: ["h2"], identity: identity, readAhead: true)
        } catch {
            throw .credentialProblem("the APNs certificate cannot be used")
        }
    }
}

extension SendError {
    fileprivate static func credentialProblem(_ text: String) -> SendError {
        SendError(.thirdPartyAuthentication, "Auth error from APNS or Web Push Service: \(text).")
    }
}
