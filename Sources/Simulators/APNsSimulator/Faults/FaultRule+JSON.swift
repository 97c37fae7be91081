public import JSON
public import Timekeeping

extension FaultRule {
    /// Reads one rule: `{"fault":NAME, …parameters, "when":{…}}`; see `Fault+JSON.swift` for the names.
    ///
    /// - Parameter now: What `after_ms` and `for_ms` count from.
    public init(json: JSONObject, now: Timestamp) throws(ControlError) {
        var members = MemberReader(json)
        let fault = try Fault(&members)
        let condition = try members.value("when").map { value throws(ControlError) in
            try FaultCondition(json: value, now: now)
        }
        try members.finish()
        self.init(fault, when: condition ?? FaultCondition())
        if [.accept, .connection].contains(fault.stage) && self.condition.needsRequest {
            throw ControlError("when", "of this fault can only speak of connections: it acts when one opens")
        }
    }

    /// Reads the emulator's short form: `{"target", "status", "reason", "timestamp_ms", "count", "delay_ms"}`, where
    /// `target` is a device token. Gives a delay, an answer, or both.
    public static func rules(emulator json: JSONObject, now: Timestamp) throws(ControlError) -> [FaultRule] {
        var members = MemberReader(json)
        _ = members.value("door")
        var condition = FaultCondition()
        condition.token = try members.string("target")?.lowercased()
        condition.count = try members.count("count", from: 1)
        let delay = try members.count("delay_ms")
        let answer = try ScriptedAnswer(&members)
        try members.finish()
        var rules: [FaultRule] = []
        if let delay { rules.append(FaultRule(.delay(.fixed(milliseconds: delay)), when: condition)) }
        if let answer { rules.append(FaultRule(answer.fault, when: condition)) }
        guard !rules.isEmpty else { throw ControlError("status", "or delay_ms is required") }
        return rules
    }

    /// Reads answers to play one after the other: `[{"status":410,"body":{"reason":…,"timestamp":…}},{"status":200}]`.
    /// Status 200 lets the request take its usual way.
    public static func sequence(
        answers: JSONValue, when condition: FaultCondition = FaultCondition()
    ) throws(ControlError) -> [FaultRule] {
        guard let list = answers.array else { throw ControlError("answers", "must be a list") }
        var rules: [FaultRule] = []
        for (place, item) in list.enumerated() {
            var members = try MemberReader(item, path: "answers[\(place)]")
            guard let answer = try ScriptedAnswer(&members) else {
                throw ControlError(members.name(of: "status"), "is required")
            }
            try members.finish()
            var once = condition
            once.count = 1
            rules.append(FaultRule(answer.fault, when: once))
        }
        return rules
    }
}

extension FaultCondition {
    init(json: JSONValue, now: Timestamp) throws(ControlError) {
        var members = try MemberReader(json, path: "when")
        environment = try members.environment()
        connection = try members.count("connection", from: 1)
        request = try members.count("request", from: 1)
        token = try members.string("token")?.lowercased()
        tokenPrefix = try members.string("token_prefix")?.lowercased()
        topic = try members.string("topic")
        nth = try members.count("nth", from: 1)
        every = try members.count("every", from: 1)
        probability = try members.double("probability", in: 0...1)
        count = try members.count("count", from: 1)
        let start = try members.count("after_ms").map { now.adding(milliseconds: Int64($0)) }
        from = start
        until = try members.count("for_ms").map { (start ?? now).adding(milliseconds: Int64($0)) }
        try members.finish()
    }
}

extension ScriptedAnswer {
    /// Reads `status`, `reason`, `timestamp_ms`, `retry_after_seconds` and `body`; `nil` without `status` and `reason`.
    /// A body that is an object with a reason sets reason and timestamp.
    init?(_ members: inout MemberReader) throws(ControlError) {
        let status = try members.integer("status", in: 200...599)
        let reason = try members.string("reason")
        let timestamp = try members.integer("timestamp_ms", in: 0...Int64.max)
        let retryAfter = try members.count("retry_after_seconds")
        let body = members.value("body")
        let known = reason.flatMap(RejectionReason.init(rawValue:))
        guard let status = status.map({ Int($0) }) ?? known?.status else {
            guard reason == nil, timestamp == nil, retryAfter == nil, body == nil else {
                throw ControlError(members.name(of: "status"), "is required")
            }
            return nil
        }
        self.init(
            status: status, reason: reason, timestampMilliseconds: timestamp, body: body?.string,
            retryAfterSeconds: retryAfter)
        guard let object = body?.object else { return }
        var content = MemberReader(object, path: members.name(of: "body"))
        self.reason = try content.string("reason") ?? self.reason
        timestampMilliseconds = try content.integer("timestamp", in: 0...Int64.max) ?? timestampMilliseconds
        try content.finish()
    }

    var fault: Fault {
        status == 200 ? .pass : .answer(self)
    }
}
