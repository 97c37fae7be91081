import JSON

/// The names of faults in JSON, each with its parameters:
///
/// | name | parameters |
/// | --- | --- |
/// | `refuse_connection`, `limit_one_after_error`, `goaway_on_limit_violation`, `silent_pings`, `server_errors_after_expired_token` | |
/// | `slow_handshake`, `idle_timeout` | `ms` |
/// | `goaway_instead_of_settings` | `reason`? |
/// | `stream_limits` | `first`, `authorized` |
/// | `small_windows` | `bytes`, `update_delay_ms`? |
/// | `disconnect_after_errors` | `errors` |
/// | `delay` | `ms`, or `min_ms` and `max_ms`, or `ms` with `one_in` and `outlier_ms` |
/// | `omit_id`, `pass`, `half_open`, `shutdown`, `server_errors` | |
/// | `error_text` | `text` |
/// | `spell` | `reason`, `as` |
/// | `answer` | `status`, `reason`?, `timestamp_ms`?, `retry_after_seconds`?, `body`? |
/// | `no_answer` | `delivered`? |
/// | `reset_stream` | `code`? (7) |
/// | `goaway` | `reason`?, `text`?, `code`?, `unprocessed`?, `repeated`?, `keeps_connection`? |
/// | `close`, `tcp_reset` | `at`? (`headers`, `request`, `answer`) |
extension Fault {
    init(_ members: inout MemberReader) throws(ControlError) {
        let name = try members.requiredString("fault")
        if let plain = Self.withoutParameters[name] {
            self = plain
        } else if let fault = try Self.connectionFault(name, &members) {
            self = fault
        } else if let fault = try Self.requestFault(name, &members) {
            self = fault
        } else {
            throw ControlError("fault", "has no value \"\(name)\"")
        }
    }

    private static let withoutParameters: [String: Fault] = [
        "refuse_connection": .refuseConnection, "limit_one_after_error": .limitOneAfterError,
        "goaway_on_limit_violation": .goAwayOnLimitViolation, "silent_pings": .silentPings,
        "server_errors_after_expired_token": .serverErrorsAfterExpiredToken, "omit_id": .omitID, "pass": .pass,
        "half_open": .halfOpen, "shutdown": .shutdown, "server_errors": .serverErrors,
    ]

    private static func connectionFault(
        _ name: String, _ members: inout MemberReader
    ) throws(ControlError) -> Fault? {
        switch name {
        case "slow_handshake": .slowHandshake(milliseconds: try required("ms", &members))
        case "idle_timeout": .idleTimeout(milliseconds: try required("ms", &members))
        case "goaway_instead_of_settings": .goAwayInsteadOfSettings(reason: try members.string("reason"))
        case "stream_limits":
            .streamLimits(first: try required("first", &members), authorized: try required("authorized", &members))
        case "small_windows":
            .smallWindows(
                bytes: try required("bytes", &members),
                updateDelayMilliseconds: try members.count("update_delay_ms") ?? 0)
        case "disconnect_after_errors": .disconnectAfterErrors(try required("errors", &members))
        default: nil
        }
    }

    private static func requestFault(_ name: String, _ members: inout MemberReader) throws(ControlError) -> Fault? {
        switch name {
        case "delay": .delay(try DelayShape(&members))
        case "error_text": .errorText(try members.requiredString("text"))
        case "spell": try spelling(&members)
        case "answer": try answer(&members)
        case "no_answer": .noAnswer(isDelivered: try members.bool("delivered") ?? false)
        case "reset_stream": .resetStream(code: UInt32(try members.count("code") ?? 7))
        case "goaway": .goAway(try GoAwayFault(&members))
        case "close", "tcp_reset":
            .closeConnection(CloseFault(at: try moment(&members), isReset: name == "tcp_reset"))
        default: nil
        }
    }

    private static func required(_ member: String, _ members: inout MemberReader) throws(ControlError) -> Int {
        guard let value = try members.count(member) else {
            throw ControlError(members.name(of: member), "is required")
        }
        return value
    }

    private static func spelling(_ members: inout MemberReader) throws(ControlError) -> Fault {
        guard let reason = RejectionReason(rawValue: try members.requiredString("reason")) else {
            throw ControlError("reason", "must be a reason that the service knows")
        }
        return .spell(reason, as: try members.requiredString("as"))
    }

    private static func answer(_ members: inout MemberReader) throws(ControlError) -> Fault {
        guard let answer = try ScriptedAnswer(&members) else { throw ControlError("status", "is required") }
        return answer.fault
    }

    private static func moment(_ members: inout MemberReader) throws(ControlError) -> CloseFault.Moment {
        guard let text = try members.string("at") else { return .request }
        guard let moment = CloseFault.Moment(rawValue: text) else {
            throw ControlError("at", "must be \"headers\", \"request\" or \"answer\"")
        }
        return moment
    }
}

extension DelayShape {
    init(_ members: inout MemberReader) throws(ControlError) {
        let usual = try members.count("ms")
        let lowest = try members.count("min_ms")
        let highest = try members.count("max_ms")
        let oneIn = try members.count("one_in", from: 1)
        let outlier = try members.count("outlier_ms")
        switch (usual, lowest, highest, oneIn, outlier) {
        case (let usual?, nil, nil, nil, nil): self = .fixed(milliseconds: usual)
        case (nil, let lowest?, let highest?, nil, nil) where lowest <= highest:
            self = .between(milliseconds: lowest...highest)
        case (let usual?, nil, nil, let oneIn?, let outlier?):
            self = .outliers(milliseconds: usual, oneIn: oneIn, outlierMilliseconds: outlier)
        default: throw ControlError("ms", "or min_ms with max_ms, or ms with one_in and outlier_ms is required")
        }
    }
}

extension GoAwayFault {
    init(_ members: inout MemberReader) throws(ControlError) {
        self.init(
            reason: try members.string("reason"), text: try members.string("text"),
            code: UInt32(try members.count("code") ?? 0),
            unprocessedStreams: try members.count("unprocessed") ?? 0,
            isRepeated: try members.bool("repeated") ?? false,
            keepsConnection: try members.bool("keeps_connection") ?? false)
    }
}
