import Timekeeping

/// What a fault can know of a connection or request.
struct FaultOccasion {
    var environment: SimulatedEnvironment?
    var connection: Int
    /// Nth request of the connection; `nil` when the connection opens.
    var request: Int?
    var token: String?
    var topic: String?
    var now: Timestamp
}

/// The faults of one request.
struct RequestFaults: Equatable {
    var delayMilliseconds = 0
    var omitsID = false
    var errorText: String?
    var spelling: [RejectionReason: String] = [:]
    var outcome: Fault?
}

/// The rules of what goes wrong and when. Rules are asked in order; for one request the first outcome wins, while
/// delays and other changes of the answer come on top.
struct FaultScript {
    struct Entry {
        let id: Int
        let rule: FaultRule
        var matched = 0
        var struck = 0
    }

    private(set) var entries: [Entry] = []
    private var nextID = 1
    private var chance: SeededGenerator

    init(seed: UInt64 = 1) {
        chance = SeededGenerator(seed: seed)
    }

    /// Adds rules after the others.
    ///
    /// - Returns: Their numbers.
    @discardableResult
    mutating func add(_ rules: [FaultRule]) -> [Int] {
        rules.map { rule in
            defer { nextID += 1 }
            entries.append(Entry(id: nextID, rule: rule))
            return nextID
        }
    }

    /// - Returns: Whether there was such a rule.
    mutating func remove(id: Int) -> Bool {
        let before = entries.count
        entries.removeAll { $0.id == id }
        return entries.count < before
    }

    mutating func removeAll() {
        entries = []
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Starts the sequence of chances anew.
    mutating func reseed(_ seed: UInt64) {
        chance = SeededGenerator(seed: seed)
    }

    /// The faults of a connection: those before its handshake (`.accept`), or those of all its life (`.connection`).
    mutating func faults(forConnection occasion: FaultOccasion, stage: FaultStage = .connection) -> [Fault] {
        entries.indices.compactMap { index in
            let fault = entries[index].rule.fault
            return fault.stage == stage && strikes(index, occasion) ? fault : nil
        }
    }

    mutating func faults(forRequest occasion: FaultOccasion) -> RequestFaults {
        var faults = RequestFaults()
        for index in entries.indices {
            let fault = entries[index].rule.fault
            let isWanted = fault.stage == .modifier || fault.stage == .outcome && faults.outcome == nil
            guard isWanted, strikes(index, occasion) else { continue }
            apply(fault, to: &faults)
        }
        return faults
    }

    private mutating func apply(_ fault: Fault, to faults: inout RequestFaults) {
        switch fault {
        case .delay(let shape):
            faults.delayMilliseconds = min(faults.delayMilliseconds, Int(Int32.max)) + shape.milliseconds(by: &chance)
        case .omitID: faults.omitsID = true
        case .errorText(let text): faults.errorText = text
        case .spell(let reason, let spelling): faults.spelling[reason] = spelling
        default: faults.outcome = fault
        }
    }

    private mutating func strikes(_ index: Int, _ occasion: FaultOccasion) -> Bool {
        let condition = entries[index].rule.condition
        if let count = condition.count, entries[index].struck >= count { return false }
        guard condition.holds(for: occasion) else { return false }
        entries[index].matched += 1
        if let nth = condition.nth, entries[index].matched != nth { return false }
        if let every = condition.every, every > 0, entries[index].matched % every != 0 { return false }
        if let probability = condition.probability, Double.random(in: 0..<1, using: &chance) >= probability {
            return false
        }
        entries[index].struck += 1
        return true
    }
}

extension FaultCondition {
    fileprivate func holds(for occasion: FaultOccasion) -> Bool {
        fits(environment, occasion.environment) && fits(connection, occasion.connection)
            && fits(request, occasion.request) && fits(token, occasion.token) && fits(topic, occasion.topic)
            && (tokenPrefix.map { occasion.token?.hasPrefix($0) ?? false } ?? true)
            && (from.map { occasion.now >= $0 } ?? true) && (until.map { occasion.now < $0 } ?? true)
    }

    private func fits<Value: Equatable>(_ wanted: Value?, _ actual: Value?) -> Bool {
        wanted == nil || wanted == actual
    }
}

extension DelayShape {
    fileprivate func milliseconds(by chance: inout SeededGenerator) -> Int {
        let milliseconds =
            switch self {
            case .fixed(let milliseconds): milliseconds
            case .between(let range): Int.random(in: range, using: &chance)
            case .outliers(let usual, let oneIn, let outlier):
                Int.random(in: 1...max(1, oneIn), using: &chance) == 1 ? outlier : usual
            }
        return min(max(0, milliseconds), Int(Int32.max))
    }
}
