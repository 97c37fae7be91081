import HTTPSemantics
import Synchronization
import Timekeeping

/// The simulated service behind all listeners: decides on requests, keeps devices, faults and the log.
final class PushService: Sendable {
    let clock: any WallClock
    let deliveries = ChangeSignal()
    private let recorder: PushRecorder?
    private let state: Mutex<ServiceState>

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
        deliveries.notify()
        return result
    }

    /// Delivers what has become deliverable by the mere passing of time.
    func letTimePass() {
        let now = clock.now()
        withState { $0.devices.deliverAllWaiting(now: now) }
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
        if decision.isAccepted { deliveries.notify() }
        record(received, decision)
        return decision
    }

    /// Gives the answer of a fault. The sender is still recognised, so that its connection opens up.
    func answer(_ received: ReceivedRequest, with answer: ScriptedAnswer, on identity: inout ConnectionIdentity) -> Decision {
        let now = clock.now()
        let decision = state.withLock { $0.answer(received, with: answer, on: &identity, now: now) }
        record(received, decision)
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
    }

    func noteAnswer(of number: Int) {
        let now = clock.now()
        state.withLock { $0.log.noteAnswer(of: number, at: now) }
    }

    /// Pushes count as seen when the service accepted or refused them for their own sake, or a fault answered; not
    /// when the sender or the form of the request was refused.
    private func record(_ received: ReceivedRequest, _ decision: Decision) {
        guard let recorder, received.request.pathToken != nil else { return }
        if let reason = decision.rejection, [403, 404, 405].contains(reason.status) { return }
        if decision.rejection == .tooManyProviderTokenUpdates { return }
        recorder.record(path: received.request.path, fields: received.request.fields, body: received.request.body)
    }
}
