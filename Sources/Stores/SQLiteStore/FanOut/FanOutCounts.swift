import PushCore
import PushModel

/// Outcomes of one transaction, counted by fan-out.
struct FanOutCounts {
    struct Counts {
        var accepted = 0
        var failed = 0
        var expired = 0
    }

    private(set) var counts: [MessageID: Counts] = [:]

    mutating func count(_ finished: FinishedDelivery) {
        switch finished.outcome {
        case .accepted: counts[finished.message, default: Counts()].accepted += 1
        case .failed: counts[finished.message, default: Counts()].failed += 1
        case .expired, .superseded, .discarded: counts[finished.message, default: Counts()].expired += 1
        }
    }
}
