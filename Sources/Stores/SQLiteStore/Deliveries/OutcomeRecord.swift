import PushCore
import PushModel

/// Outcomes of one transaction that are written down, but for their counts, which are added together at the end.
struct OutcomeRecord {
    var counts = OutcomeCounts()
    var fanOuts = FanOutCounts()
    var recorded: [FinishedDelivery] = []
    /// Neighbours mostly belong to one message.
    var lastProject: (message: Int64, project: ProjectNumber)?
}
