import EventLoop
import PushCore
import PushModel
import Telemetry

extension APNsPool {
    /// Opens what is missing for the pushes that wait.
    func makeRoom() {
        guard let oldest = queue.first, !isEnding else { return }
        let usable = connections.filter(\.state.isUsable)
        guard usable.count < configuration.maximumConnections else { return }
        if usable.isEmpty { return openFirst() }
        let isGettingOne = usable.contains { $0.state.phase.isConnecting || $0.state.phase == .unproved }
        let hasWaited = now.since(oldest.waitingSince) >= configuration.waitBeforeGrowing
        let isRested = lastGrowth.map { now.since($0) >= configuration.pauseBetweenGrowing } ?? true
        guard hasWaited, isRested, !isGettingOne, backOff.remaining(at: now) == .zero else { return }
        lastGrowth = now
        connect()
    }

    private func openFirst() {
        let pause = backOff.remaining(at: now)
        guard pause > .zero else { return connect() }
        if backOff.isUnreachable { return sendBackQueue("APNs cannot be reached: \(lastFailure).") }
        guard pumpTimer?.isPending != true else { return }
        pumpTimer = loop.schedule(after: pause) { [weak self] in self?.pump() }
    }

    private func connect() {
        guard !staysOnThisMachine || endpoint.isOnThisMachine else { return }
        let connection = APNsConnection(pool: self, needsProof: token != nil)
        connections.append(connection)
        measures.connectionsOpened.increment()
        connection.start(endpoint, tls: tls)
        startTicking()
    }

    func mayUse(peerAddress: String) -> Bool {
        !staysOnThisMachine || APNsEndpoint.isLoopback(peerAddress)
    }

    func connectionIsReady() {
        backOff.connected()
        schedulePump()
    }

    func connectFailed(reason: String) {
        let reason = reason.isEmpty ? lastFailure : reason
        lastFailure = reason
        backOff.connectFailed(at: now)
        logger.warning("APNs cannot be reached", ["host": .string(endpoint.host), "reason": .string(reason)])
        measures.connectFailures.increment()
        if !connections.contains(where: { $0.state.isUsable }) { sendBackQueue("APNs cannot be reached: \(reason).") }
    }

    /// A connection takes no more requests: its successor is opened before it is gone.
    func connectionRetired(_ connection: APNsConnection) {
        if !connection.wasProductive { backOff.connectionWasUnproductive(at: now) }
        let isNeeded = !queue.isEmpty || connection.requestsUnderWay > 0
        let hasOther = connections.contains { $0 !== connection && $0.state.isUsable }
        guard isNeeded, !hasOther, !isEnding else { return schedulePump() }
        if backOff.remaining(at: now) == .zero { connect() } else { schedulePump() }
    }

    func remove(_ connection: APNsConnection) {
        connections.removeAll { $0 === connection }
        schedulePump()
        finishClosing()
    }

    /// APNs refuses the credential: pushes fail with its reason until a pause is over.
    func halt(reason: String) {
        let answer = APNsAnswer(status: 403, reason: reason)
        breaker.halt(answer, at: now)
        logger.error(
            "APNs refuses the credential", ["credential": .integer(credential.serial), "reason": .string(reason)])
        let requests = queue.removeAll()
        taken(requests.count)
        for request in requests { request.complete(GatewayAnswer(answer, pushID: request.pushID)) }
    }

    func finishClosing() {
        guard !closing.isEmpty, connections.isEmpty else { return }
        ticker?.cancel()
        pumpTimer?.cancel()
        for completion in closing { completion() }
        closing = []
    }
}

extension APNsConnectionState.Phase {
    var isConnecting: Bool {
        switch self {
        case .connecting, .awaitingSettings: true
        default: false
        }
    }
}
