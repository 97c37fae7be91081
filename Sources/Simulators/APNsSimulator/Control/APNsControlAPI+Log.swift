import HTTPSemantics
import JSON
import Timekeeping

extension APNsControlAPI {
    func requests(_ call: ControlCall) async throws(ControlError) -> JSONValue? {
        guard call.method == "GET", call.segments.count == 1 else { return nil }
        let after = try call.number("after", upTo: Int.max) ?? 0
        if let wait = try call.number("wait_ms", upTo: Self.maximumWaitMilliseconds) {
            _ = await simulator.waitForRequests(milliseconds: wait) { $0.last.map { $0.number > after } ?? false }
        }
        return ["requests": .array(simulator.requests.filter { $0.number > after }.map(\.json))]
    }

    func connections(_ call: ControlCall) throws(ControlError) -> JSONValue? {
        if call.method == "GET", call.segments.count == 1 {
            return ["connections": .array(simulator.connections.map(\.json))]
        }
        guard call.segments.count == 2, call.segments[1].hasSuffix(":strike"),
            let number = Int(call.segments[1].dropLast(7))
        else { return nil }
        return try strike(call, connection: number)
    }

    func strike(_ call: ControlCall, connection: Int?) throws(ControlError) -> JSONValue? {
        guard call.method == "POST" else { return nil }
        let rule = try FaultRule(json: try call.object(), now: simulator.service.clock.now())
        return ["connections": .integer(simulator.strike(rule.fault, connection: connection))]
    }
}

extension RequestRecord {
    var json: JSONValue {
        var object: JSONObject = [
            "number": .integer(number), "connection": .integer(connection), "stream": .integer(stream),
            "method": .string(method), "path": .string(path),
            "headers": .array(
                fields.lines.map { line in
                    [
                        "name": .string(line.name), "value": .string(line.value),
                        "never_indexed": .bool(neverIndexed.contains(line.name)),
                    ]
                }),
            "header_block_bytes": .integer(headerBlockBytes), "body": .string(bodyText),
            "received_ms": .integer(receivedAt.milliseconds), "apns_id": .string(id),
        ]
        object["environment"] = environment.map { .string($0.rawValue) }
        object["answered_ms"] = answeredAt.map { .integer($0.milliseconds) }
        object["status"] = status.map { .integer($0) }
        object["reason"] = reason.map { .string($0) }
        object["outcome"] = .string(outcome.name)
        return .object(object)
    }
}

extension RequestRecord.Outcome {
    /// One word: the fate of an accepted push, `rejected`, `scripted`, or what happened instead of an answer.
    fileprivate var name: String {
        switch self {
        case .accepted(.delivered): "delivered"
        case .accepted(.stored): "stored"
        case .accepted(.held): "held"
        case .accepted(.discarded(let reason)): "discarded:\(reason.rawValue)"
        case .rejected: "rejected"
        case .channel: "channel"
        case .scripted: "scripted"
        case .unanswered(let what): "unanswered:\(what)"
        }
    }
}

extension ConnectionRecord {
    var json: JSONValue {
        var object: JSONObject = [
            "number": .integer(number), "opened_ms": .integer(openedAt.milliseconds), "requests": .integer(requests),
            "open_streams": .integer(openStreams), "max_open_streams": .integer(maximumOpenStreams),
            "distinct_tokens": .integer(distinctTokens), "refused_streams": .integer(refusedStreams),
            "requests_before_settings": .integer(requestsBeforeSettings),
            "requests_after_goaway": .integer(requestsAfterGoAway), "goaway_sent": .bool(goAwaySent),
            "pings": .integer(pings), "errors": .integer(errors),
        ]
        object["environment"] = environment.map { .string($0.rawValue) }
        object["alpn"] = applicationProtocol.map { .string($0) }
        object["server_name"] = serverName.map { .string($0) }
        object["certificate_topics"] = certificateTopics.map { .array($0.map { .string($0) }) }
        object["closed_ms"] = closedAt.map { .integer($0.milliseconds) }
        object["end"] = end.map { .string($0) }
        return .object(object)
    }
}
