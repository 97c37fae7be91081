import EventLoop
import HTTP2Wire
import JSON
import PushModel
import Telemetry
import Transport

extension APNsConnection: ConnectionHandler {
    func opened(_ connection: Connection) {
        // Services that answer without ALPN speak HTTP/2 all the same.
        let chosen = connection.security?.applicationProtocol ?? "h2"
        guard chosen == "h2", pool.mayUse(peerAddress: connection.peerAddress) else {
            return perform(state.handle(.lost, at: pool.now))
        }
        perform(state.handle(.opened, at: pool.now))
        flushBatch()
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        perform(state.handle(.received, at: pool.now))
        take(session.receive(bytes))
        // Windows that opened make no event.
        pool.schedulePump()
        if session.wantsWrite { scheduleFlush() }
    }

    func inputEnded(on connection: Connection, truncated: Bool) {
        perform(state.handle(.lost, at: pool.now))
    }

    func becameWritable(_ connection: Connection) {
        flushBatch()
        pool.schedulePump()
    }

    func closed(_ connection: Connection, reason: CloseReason) {
        transport = nil
        pool.note(reason)
        perform(state.handle(.lost, at: pool.now))
    }
}

extension APNsConnection {
    private static let maximumAnswerBytes = 4_096

    func take(_ events: [HTTP2ClientEvent]) {
        for event in events { take(event) }
    }

    private func take(_ event: HTTP2ClientEvent) {
        switch event {
        case .settings:
            pool.measures.streamLimit.set(Int64(clamping: session.peerMaximumConcurrentStreams))
            perform(state.handle(.settings(streams: session.peerMaximumConcurrentStreams), at: pool.now))
            if state.isUsable { pool.connectionIsReady() }
        case .response(let stream, let status, _, _): requests[stream]?.status = status
        case .data(let stream, let bytes, _):
            guard !bytes.isEmpty, let request = requests[stream],
                request.body.count + bytes.count <= Self.maximumAnswerBytes
            else {
                return
            }
            request.body += bytes
        case .closed(let stream, let code): streamClosed(stream, code)
        case .goAway(_, let code, let debugData):
            let reason = Self.reason(in: debugData)
            pool.note(goAway: reason, code: code.rawValue)
            perform(state.handle(.goAway(reason: reason), at: pool.now))
        case .failed: perform(state.handle(.lost, at: pool.now))
        case .settingsAcknowledged, .ping, .pingAcknowledged: break
        }
    }

    private func streamClosed(_ stream: Int32, _ code: HTTP2ErrorCode) {
        guard let request = remove(stream) else { return }
        if request.status >= 200 {
            answered(request, stream)
        } else {
            perform(state.handle(.streamEnded(stream: stream), at: pool.now))
            code == .refusedStream ? pool.sendAgain(request) : pool.outcomeUnknown(request)
        }
    }

    private func answered(_ request: PushRequest, _ stream: Int32) {
        let answer = Self.answer(status: request.status, body: request.body)
        let rules = APNsAnswerRules(answer, resends: request.resends)
        wasProductive = wasProductive || rules.isProductive
        perform(
            state.handle(
                .answered(stream: stream, isAuthorized: !rules.isRefusalOfCredential && !rules.renewsToken),
                at: pool.now))
        if rules.replacesConnection {
            replace()
            pool.connectionRetired(self)
        }
        pool.answered(request, answer, rules, token: lastToken)
    }

    /// The JSON of an answer; a body that is none counts as an answer without reason.
    private static func answer(status: Int, body: [UInt8]) -> APNsAnswer {
        guard status != 200 else { return APNsAnswer(status: 200, reason: "") }
        let content = body.isEmpty ? nil : (try? JSONValue(parsing: body))?.object
        return APNsAnswer(
            status: status, reason: content?["reason"]?.string ?? "",
            timestampMilliseconds: content?["timestamp"]?.int64)
    }

    /// The reason in GOAWAY's debug data: JSON, plain text, or nothing.
    private static func reason(in debugData: [UInt8]) -> String {
        guard !debugData.isEmpty else { return "" }
        if let reason = (try? JSONValue(parsing: debugData))?["reason"]?.string { return reason }
        return String(decoding: debugData.prefix(200), as: UTF8.self)
    }
}
