import Crypto
public import JSON
import Timekeeping

extension APNsControlAPI {
    func keys(_ call: ControlCall) throws(ControlError) -> JSONValue? {
        switch (call.method, call.segments.count) {
        case ("GET", 1):
            let keys = simulator.service.withState { $0.keys.keys.values.sorted { $0.id < $1.id } }
            return ["keys": .array(keys.map(\.json))]
        case ("POST", 1):
            let key = try ProviderKey(json: try call.object())
            simulator.register(key)
            return key.json
        case ("DELETE", 2):
            let id = call.segments[1]
            guard simulator.service.withState({ $0.keys.keys[id] != nil }) else { return nil }
            simulator.removeKey(id: id)
            return [:]
        default: return nil
        }
    }

    func certificates(_ call: ControlCall) throws(ControlError) -> JSONValue? {
        guard call.method == "POST", call.segments.count == 1 else { return nil }
        var members = MemberReader(try call.object())
        let fingerprint = try members.requiredString("fingerprint").lowercased()
        let certificate = ClientCertificate(
            topics: try members.strings("topics") ?? [], userID: try members.string("user_id"),
            environments: try members.environments(), isRevoked: try members.bool("revoked") ?? false)
        try members.finish()
        simulator.register(certificate, fingerprint: fingerprint)
        return [:]
    }

    func faults(_ call: ControlCall) throws(ControlError) -> JSONValue? {
        switch (call.method, call.segments.count) {
        case ("GET", 1): return faultListing
        case ("POST", 1): return ["faults": .array(simulator.add(try faultRules(call)).map { .integer($0) })]
        case ("DELETE", 1):
            simulator.removeAllFaults()
            return [:]
        case ("DELETE", 2):
            guard let number = Int(call.segments[1]), simulator.removeFault(number) else { return nil }
            return [:]
        default: return nil
        }
    }

    private var faultListing: JSONValue {
        let entries = simulator.service.withState { $0.script.entries }
        return [
            "faults": .array(
                entries.map { entry in
                    [
                        "number": .integer(entry.id), "fault": .string(String(describing: entry.rule.fault)),
                        "matched": .integer(entry.matched), "struck": .integer(entry.struck),
                    ]
                })
        ]
    }

    /// One rule, a list under `faults`, answers to play in turn (a bare list, or under `answers`), or the emulator's form.
    private func faultRules(_ call: ControlCall) throws(ControlError) -> [FaultRule] {
        let now = simulator.service.clock.now()
        let value = try call.value()
        if value.array != nil { return try FaultRule.sequence(answers: value) }
        let object = try call.object()
        if object["fault"] != nil { return [try FaultRule(json: object, now: now)] }
        if let answers = object["answers"] {
            let condition = try object["when"].map { value throws(ControlError) in
                try FaultCondition(json: value, now: now)
            }
            return try FaultRule.sequence(answers: answers, when: condition ?? FaultCondition())
        }
        guard let list = object["faults"] else { return try FaultRule.rules(emulator: object, now: now) }
        guard let items = list.array else { throw ControlError("faults", "must be a list") }
        var rules: [FaultRule] = []
        for item in items {
            guard let object = item.object else { throw ControlError("faults", "must be a list of objects") }
            rules.append(try FaultRule(json: object, now: now))
        }
        return rules
    }
}

extension MemberReader {
    /// A list of environments; all of them when the member is absent.
    mutating func environments() throws(ControlError) -> Set<SimulatedEnvironment> {
        guard let names = try strings("environments") else { return Set(SimulatedEnvironment.allCases) }
        let environments = names.compactMap(SimulatedEnvironment.init(rawValue:))
        guard environments.count == names.count, !environments.isEmpty else {
            throw ControlError(name(of: "environments"), "must list \"sandbox\", \"production\" or both")
        }
        return Set(environments)
    }
}

extension ProviderKey {
    /// Reads `{"key_id","team_id","public_key"?,"environments"?,"topics"?,"related_key_id"?}`. Without `public_key` (PEM)
    /// signatures are not looked at; with `topics` the key is a topic-specific one.
    public init(json: JSONObject) throws(ControlError) {
        var members = MemberReader(json)
        let id = try members.requiredString("key_id")
        let teamID = try members.requiredString("team_id")
        var publicKey: P256PublicKey?
        if let pem = try members.string("public_key") {
            do throws(KeyError) {
                publicKey = try P256PublicKey(pem: pem)
            } catch {
                throw ControlError("public_key", "must be a P-256 public key in PEM")
            }
        }
        let related = try members.string("related_key_id")
        let topics = try members.strings("topics")
        let environments = try members.environments()
        try members.finish()
        self.init(
            id: id, teamID: teamID, publicKey: publicKey,
            scope: topics.map { .topics(Set($0), relatedKeyID: related) } ?? .team, environments: environments)
    }

    var json: JSONValue {
        var object: JSONObject = [
            "key_id": .string(id), "team_id": .string(teamID),
            "environments": .array(environments.map(\.rawValue).sorted().map { .string($0) }),
        ]
        if case .topics(let topics, let related) = scope {
            object["topics"] = .array(topics.sorted().map { .string($0) })
            object["related_key_id"] = related.map { .string($0) }
        }
        object["public_key"] = publicKey.map { .string($0.pem) }
        return .object(object)
    }
}
