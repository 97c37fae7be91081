import EventLoop
import HTTPSemantics
import Synchronization
import Timekeeping
import Transport

/// The simulated service behind all listeners: decides on requests, keeps devices, faults and the log.
final class PushService: Sendable {
    let clock: any WallClock
    /// Told after every request and every delivery.
    let changes = ChangeSignal()
    private let recorder: PushRecorder?
    private let state: Mutex<ServiceState>
    private let live = Mutex<[Int: SimulatedConnection]>([:])

    init(options: APNsSimulatorOptions, clock: any WallClock, recorder: PushRecorder?) {
        self.clock = clock
        self.recorder = recorder
        state = Mutex(ServiceState(options: options))
        clock.onJump { [weak self] in self?.letTimePass() }
    }

    /// Reads or changes the state, then tells listeners of deliveries that came of it.
    func withState<Result>(_ body: (inout sending ServiceState) throws -> sending Result) rethrows -> sending Result {
        let result = try state.withLock { state in
            let result = try body(&state)
            state.dispatchDeliveries()
            return result
        }
        changes.notify()
        return result
    }

    /// Delivers what has become deliverable by the mere passing of time.
    func letTimePass() {
        let now = clock.now()
        withState { $0.devices.deliverAllWaiting(now: now) }
    }

    // MARK: Connections

    /// What happens to a connection before its handshake.
    func admission(environment: SimulatedEnvironment?) -> Admission {
        let now = clock.now()
        let faults = state.withLock { state in
            state.acceptedConnections += 1
            let occasion = FaultOccasion(environment: environment, connection: state.acceptedConnections, now: now)
            return state.script.faults(forConnection: occasion, stage: .accept)
        }
        if faults.contains(.refuseConnection) { return .refused }
        for case .slowHandshake(let milliseconds) in faults { return .admittedLater(.milliseconds(milliseconds)) }
        return .admitted
    }

    /// Takes a connection whose handshake is done.
    func open(
        _ connection: Connection, environment: SimulatedEnvironment?, rules: ConnectionRules
    ) -> SimulatedConnection {
        let now = clock.now()
        let der = connection.security?.peerCertificateDER
        let (record, identity, faults) = state.withLock { state in
            let number = state.log.nextConnectionNumber()
            let occasion = FaultOccasion(
                environment: environment, connection: state.log.ordinal(ofConnection: number), now: now)
            let record = ConnectionRecord(number: number, environment: environment, openedAt: now)
            state.log.append(record)
            let certificate = der.flatMap { state.certificate(der: $0) }
            let identity = ConnectionIdentity(environment: environment, certificate: certificate)
            return (record, identity, state.script.faults(forConnection: occasion))
        }
        let opened = SimulatedConnection(
            connection, service: self, rules: rules, record: record, identity: identity, faults: faults)
        live.withLock { $0[record.number] = opened }
        return opened
    }

    func publish(_ record: ConnectionRecord) {
        state.withLock { $0.log.change(connection: record.number) { $0 = record } }
        changes.notify()
    }

    func forget(_ connection: SimulatedConnection) {
        live.withLock { _ = $0.removeValue(forKey: connection.number) }
    }

    /// Does something to connections on their own loops; all of them when no number is given.
    ///
    /// - Returns: How many there were.
    @discardableResult
    func withConnections(_ number: Int? = nil, _ body: @escaping @Sendable (SimulatedConnection) -> Void) -> Int {
        let chosen = live.withLock { live in
            number.map { number in live[number].map { [$0] } ?? [] } ?? Array(live.values)
        }
        for connection in chosen { connection.connection.loop.execute { body(connection) } }
        return chosen.count
    }

    // MARK: Requests

    /// The faults that strike a request, asked once, when its header section is here.
    func faults(for received: ReceivedRequest, environment: SimulatedEnvironment?) -> RequestFaults {
        let now = clock.now()
        return state.withLock { state in
            guard !state.script.isEmpty else { return RequestFaults() }
            let occasion = FaultOccasion(
                environment: environment, connection: state.log.ordinal(ofConnection: received.connection),
                request: received.ordinal, token: received.request.pathToken?.lowercased(),
                topic: received.request.fields["apns-topic"], now: now)
            return state.script.faults(forRequest: occasion)
        }
    }

    /// Judges a request and, when it is good, takes the push.
    func judge(_ received: ReceivedRequest, on identity: inout ConnectionIdentity) -> Decision {
        let now = clock.now()
        let decision = state.withLock { state in
            let decision = state.judge(received, on: &identity, now: now)
            state.dispatchDeliveries()
            return decision
        }
        record(received, decision)
        changes.notify()
        return decision
    }

    /// Gives the answer of a fault. The sender is still recognised, so that its connection opens up.
    func answer(_ received: ReceivedRequest, with answer: ScriptedAnswer, on identity: inout ConnectionIdentity)
        -> Decision
    {
        let now = clock.now()
        let decision = state.withLock { $0.answer(received, with: answer, on: &identity, now: now) }
        record(received, decision)
        changes.notify()
        return decision
    }

    /// Notes a request that gets no answer.
    func noteUnanswered(_ received: ReceivedRequest, as what: String, environment: SimulatedEnvironment?) {
        let now = clock.now()
        state.withLock { state in
            let number = state.log.nextRequestNumber()
            var record = RequestRecord(received, number: number, environment: environment, now: now)
            record.outcome = .unanswered(what)
            state.log.append(record)
        }
        changes.notify()
    }

    func noteAnswer(of number: Int) {
        let now = clock.now()
        state.withLock { $0.log.noteAnswer(of: number, at: now) }
        changes.notify()
    }

    private func record(_ received: ReceivedRequest, _ decision: Decision) {
        guard let recorder, received.request.pathToken != nil, decision.rejection?.isAboutThePush ?? true else {
            return
        }
        recorder.record(path: received.request.path, fields: received.request.fields, body: received.request.body)
    }
}

extension PushService {
    /// Waits until the state satisfies the condition.
    ///
    /// - Returns: Whether it did in time.
    func waitUntil(
        milliseconds: Int, on loops: [EventLoop], _ isSatisfied: @escaping @Sendable (borrowing ServiceState) -> Bool
    ) async -> Bool {
        let isReady: @Sendable () -> Bool = { [self] in state.withLock { isSatisfied($0) } }
        guard let loop = loops.first else { return isReady() }
        let deadline = MonotonicTime.now().adding(.milliseconds(milliseconds))
        while !isReady() {
            let left = deadline.since(.now())
            guard left > .zero else { return false }
            await changes.wait(for: left, on: loop, unless: isReady)
        }
        return true
    }
}
