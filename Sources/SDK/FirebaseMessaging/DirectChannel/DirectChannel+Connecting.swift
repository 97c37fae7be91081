import FirebaseCore
import FirebasePlatform
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What decides whether there is a connection.

extension DirectChannel {
    func want(_ answer: Answer?) {
        guard !isUp else {
            answer?(.alreadyConnected)
            return
        }
        if let answer { state.withLock { $0.answers.append(answer) } }
        let isReachable = isReachable
        take { $0.want(isReachable: isReachable, at: $1) }
    }

    func unwant() {
        state.withLock { $0.plan.unwant() }
        endLink()
        answer(.disconnected)
    }

    /// Asks the plan, and does what it says.
    func take(_ decide: (inout ConnectionPlan, Date) -> ConnectionPlan.Step) {
        let now = now
        switch state.withLock({ decide(&$0.plan, now) }) {
        case .nothing: break
        case .attempt: attempt()
        case .giveUp: answer(.noNetwork)
        case .abandon: failed("The channel was not up in time.")
        }
    }

    private func attempt() {
        endLink()
        if let checkIn = checkIns.stored() { return connect(checkIn.credentials) }
        answer(.noDeviceID)
        startCheckIn()
    }

    private func connect(_ credentials: CheckInCredentials) {
        guard let streams = platform.byteStreams else { return failed("The system offers no connections but HTTP's.") }
        let (number, receivedIDs) = state.withLock { state in
            state.number += 1
            state.unconfirmed.use(deviceID: credentials.deviceID)
            return (state.number, state.unconfirmed.ids)
        }
        let login = DirectChannelLogin.request(
            credentials, version: sdkVersion, receivedIDs: receivedIDs, network: network)
        let address = app.endpoints.directChannel
        let stream = streams.connect(host: address.host, port: address.port) { [weak self] event in
            self?.handle(.stream(number: number, event))
        }
        state.withLock { state in
            state.link = Link(
                stream: stream, deviceID: credentials.deviceID, session: DirectChannelSession(login: login))
        }
    }

    private var network: DirectChannelLogin.Network {
        guard let reachability = platform.reachability, reachability.isReachable else { return .none }
        return reachability.isCellular ? .cellular : .wiFi
    }

    /// The connection, or what was to become one, is of no use. Another follows while the channel is wanted.
    func failed(_ reason: String) {
        app.log.info("I-FCM005000", "The direct channel is down: \(reason)")
        endLink()
        let isReachable = isReachable
        take { $0.failed(isReachable: isReachable, at: $1) }
    }

    /// Ends the connection that there is, if any. Messages under way wait again.
    private func endLink() {
        let link = state.withLock { state in
            state.number += 1
            state.queue.connectionEnded()
            return state.link.take()
        }
        guard let link else { return }
        sayGoodbye(link)
        if link.isUp { tellStateChanged() }
    }
}

// MARK: - Check-in

extension DirectChannel {
    /// Somebody may be checking in already: then this joins in.
    private func startCheckIn() {
        let starts = state.withLock { state in
            defer { state.isCheckingIn = true }
            return !state.isCheckingIn
        }
        guard starts else { return }
        platform.executors.start { [weak self, checkIns] in
            let result = await checkIns.checkIn()
            self?.state.withLock { $0.isCheckingIn = false }
            self?.handle(result.error == nil ? .checkInChanged : .checkInFailed)
        }
    }

    func checkInFailed() {
        let waits = state.withLock { $0.plan.isAttempting && $0.link == nil }
        if waits { failed("The device could not check in.") }
    }

    /// A connection belongs to the device that signed in.
    func checkInChanged() {
        let (phase, deviceID) = state.withLock { ($0.plan.phase, $0.link?.deviceID) }
        guard phase != .unwanted else { return }
        let credentials = checkIns.stored()?.credentials
        if let deviceID {
            guard credentials?.deviceID != deviceID else { return }
            take { $0.restart(at: $1) }
        } else if case .attempting = phase, let credentials {
            connect(credentials)
        } else if credentials != nil {
            take { $0.hurry(at: $1) }
        }
    }
}

// MARK: - Telling the app

extension DirectChannel {
    /// Everybody who waits for the channel is told once.
    func answer(_ error: MessagingError?) {
        let answers = state.withLock { state in
            defer { state.answers = [] }
            return state.answers
        }
        for answer in answers { answer(error) }
    }

    func tellStateChanged() {
        post(.directChannelChanged, object: announcer.messaging)
    }

    func post(_ name: NotificationName, object: (any Sendable)? = nil, userInfo: [String: any Sendable] = [:]) {
        let notifications = platform.notifications
        app.onMain { notifications.post(name, object: object, userInfo: userInfo) }
    }
}
