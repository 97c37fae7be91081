import HTTPSemantics
import Timekeeping

extension ServiceState {
    mutating func judge(
        _ received: ReceivedRequest, on identity: inout ConnectionIdentity, now: Timestamp
    ) -> Decision {
        var record = RequestRecord(
            received, number: log.nextRequestNumber(), environment: identity.environment, now: now)
        var decision = Decision(number: record.number)
        do throws(Rejection) {
            if ChannelRequest.isChannelPath(received.request.path) {
                decision.reply = try channelReply(received.request, on: &identity, now: now)
                record.outcome = .channel
                decision.isAuthorized = true
                finish(&decision, record, received.faults, now: now)
                return decision
            }
            let push = try judge.judge(
                received.request, on: &identity, keys: &keys, devices: &devices, now: now, newID: Self.newUUID)
            record.outcome = .accepted(devices.accept(push, now: now))
            decision.isAccepted = true
            decision.isAuthorized = true
            decision.reply = Reply(status: 200, id: push.id)
            if identity.environment == .sandbox { decision.reply?.uniqueID = Self.newUUID() }
        } catch {
            record.outcome = .rejected(error.reason)
            decision.rejection = error.reason
            decision.isAuthorized = error.reason.provesSender
            decision.reply = reply(to: received, error)
        }
        finish(&decision, record, received.faults, now: now)
        return decision
    }

    mutating func answer(
        _ received: ReceivedRequest, with answer: ScriptedAnswer, on identity: inout ConnectionIdentity,
        now: Timestamp
    ) -> Decision {
        var record = RequestRecord(
            received, number: log.nextRequestNumber(), environment: identity.environment, now: now)
        record.outcome = .scripted
        var decision = Decision(number: record.number)
        let isRecognised = judge.recognises(received.request, on: &identity, keys: &keys, now: now)
        decision.isAuthorized = isRecognised && answer.status != 403
        var reply = Reply(status: answer.status, id: echoedID(received) ?? Self.newUUID(), reason: answer.reason)
        reply.timestampMilliseconds =
            answer.timestampMilliseconds ?? (answer.status == 410 ? now.milliseconds : nil)
        reply.text = answer.body
        reply.retryAfterSeconds = answer.retryAfterSeconds
        decision.reply = reply
        finish(&decision, record, received.faults, now: now)
        return decision
    }

    /// Brings the faults of the answer in, and logs.
    private mutating func finish(
        _ decision: inout Decision, _ record: RequestRecord, _ faults: RequestFaults, now: Timestamp
    ) {
        var record = record
        record.id = decision.reply?.id ?? record.id
        if faults.omitsID { decision.reply?.id = nil }
        if let text = faults.errorText, decision.reply?.status != 200 { decision.reply?.text = text }
        record.status = decision.reply?.status
        record.reason = decision.reply?.reason
        let isAnswered = faults.outcome != .noAnswer(isDelivered: true)
        if faults.delayMilliseconds == 0 && isAnswered { record.answeredAt = now }
        log.append(record)
    }

    private func reply(to received: ReceivedRequest, _ rejection: Rejection) -> Reply {
        let spelling = received.faults.spelling[rejection.reason] ?? rejection.reason.rawValue
        var reply = Reply(
            status: rejection.reason.status, id: echoedID(received) ?? Self.newUUID(), reason: spelling)
        reply.timestampMilliseconds = rejection.invalidSince?.milliseconds
        if let requestID = received.request.fields["apns-request-id"], PushHeaders.isUUID(requestID) {
            reply.extraFields.append("apns-request-id", requestID)
        }
        return reply
    }

    private func echoedID(_ received: ReceivedRequest) -> String? {
        received.request.fields["apns-id"].flatMap { PushHeaders.isUUID($0) ? $0 : nil }
    }
}

extension RejectionReason {
    /// Whether a refusal for this reason comes after the sender was found to be genuine.
    fileprivate var provesSender: Bool {
        switch self {
        case .methodNotAllowed, .badPath, .duplicateHeaders: false
        default: status != 403 && self != .tooManyProviderTokenUpdates
        }
    }
}

extension RequestRecord {
    init(_ received: ReceivedRequest, number: Int, environment: SimulatedEnvironment?, now: Timestamp) {
        self.init(
            number: number, connection: received.connection, stream: received.stream, environment: environment,
            method: received.request.method, path: received.request.path, fields: received.request.fields,
            neverIndexed: received.neverIndexed, headerBlockBytes: received.headerBlockBytes,
            body: received.request.body, receivedAt: now, answeredAt: nil,
            id: received.request.fields["apns-id"] ?? "", status: nil, reason: nil, outcome: .unanswered("Pending"))
    }
}
