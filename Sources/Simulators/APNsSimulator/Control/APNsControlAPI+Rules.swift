import JSON

extension APNsControlAPI {
    /// Changes numbers and choices; members that are absent stay as they are.
    ///
    /// Judging: `trusts_unknown_keys`, `accepts_unknown_tokens`, `max_token_age_seconds`, `min_token_life_seconds`,
    /// `max_clock_skew_seconds`, `max_payload_bytes`. Storage: `max_storage_seconds`, `slot_policy` (`lastWins`,
    /// `random`), `background_pushes_per_hour`, `holds_normal_priority`, `unregistered_delay_ms`, `token_bytes`,
    /// `allowance` (`{"burst","per_second"}`), `seed`. Numbers that can be off are set off with -1.
    func rules(_ call: ControlCall) throws(ControlError) -> JSONValue? {
        guard call.method == "POST", call.segments.count == 1 else { return nil }
        var members = MemberReader(try call.object())
        var (judging, storage) = simulator.service.withState { ($0.judge.rules, $0.devices.rules) }
        try judging.read(&members)
        try storage.read(&members)
        let seed = try members.integer("seed", in: 0...Int64.max).map { UInt64($0) }
        try members.finish()
        if let seed { storage.seed = seed }
        let (newJudging, newStorage) = (judging, storage)
        simulator.service.withState { state in
            state.judge.rules = newJudging
            state.devices.rules = newStorage
            guard let seed else { return }
            state.script.reseed(seed)
            state.devices.chance = SeededGenerator(seed: seed)
        }
        return [:]
    }
}

extension JudgeRules {
    fileprivate mutating func read(_ members: inout MemberReader) throws(ControlError) {
        let seconds = 0...Int64(Int32.max)
        if let value = try members.bool("trusts_unknown_keys") { authentication.trustsUnknownKeys = value }
        if let value = try members.bool("accepts_unknown_tokens") { acceptsUnknownTokens = value }
        if let value = try members.integer("max_token_age_seconds", in: seconds) {
            authentication.maximumTokenAgeSeconds = value
        }
        if let value = try members.integer("min_token_life_seconds", in: seconds) {
            authentication.minimumTokenLifeSeconds = value
        }
        if let value = try members.integer("max_clock_skew_seconds", in: seconds) {
            authentication.maximumClockSkewSeconds = value
        }
        if let value = try members.count("max_payload_bytes", from: -1) {
            maximumPayloadBytes = value < 0 ? nil : value
        }
    }
}

extension StorageRules {
    fileprivate mutating func read(_ members: inout MemberReader) throws(ControlError) {
        if let value = try members.integer("max_storage_seconds", in: 0...Int64(Int32.max)) {
            maximumStorageSeconds = value
        }
        if let name = try members.string("slot_policy") {
            guard let policy = SlotPolicy(rawValue: name) else {
                throw ControlError("slot_policy", "must be \"lastWins\" or \"random\"")
            }
            slotPolicy = policy
        }
        if let value = try members.count("background_pushes_per_hour", from: -1) {
            backgroundPushesPerHour = value < 0 ? nil : value
        }
        if let value = try members.bool("holds_normal_priority") { holdsNormalPriority = value }
        if let value = try members.count("unregistered_delay_ms") { unregisteredDelayMilliseconds = Int64(value) }
        if let value = try members.integer("token_bytes", in: 1...256) { tokenBytes = Int(value) }
        guard let object = members.value("allowance") else { return }
        var allowance = try MemberReader(object, path: "allowance")
        let burst = try allowance.count("burst", from: 1) ?? 1
        let perSecond = try allowance.double("per_second", in: 0...1_000_000) ?? 1
        try allowance.finish()
        self.allowance = Allowance(burst: burst, perSecond: perSecond)
    }
}
