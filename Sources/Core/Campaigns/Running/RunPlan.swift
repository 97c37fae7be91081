import Timekeeping

/// Which of the times that have come is sent now, and which is the next one.
struct RunPlan {
    /// So much later than planned is still on time.
    static let graceSeconds: Int64 = 600
    /// What goes to Apple apps ahead may be as late as that before a time zone is missed.
    private static let leadGraceSeconds: Int64 = 3600
    /// What recipients in their own time zones missed by more is not news any more.
    private static let longestDelaySeconds: Int64 = 86_400
    /// Times that are passed over are counted up to here.
    private static let maximumCounted: Int64 = 10_000

    /// The time that counts.
    private(set) var due: Occurrence
    private(set) var sends: Bool
    /// Times before `due` that passed.
    private(set) var missed: Int64 = 0
    private(set) var next: Occurrence?

    init(campaign: Campaign, due: Occurrence, occurrences: Occurrences, now: Timestamp) {
        self.due = due
        sends = true
        let schedule = occurrences.schedule
        guard schedule.repetition != .now else { return }
        if due.audience == .everyone {
            var last = due
            while missed < Self.maximumCounted, let following = occurrences.next(after: last.at), following.at <= now {
                last = following
                missed += 1
            }
            self.due = last
            next = occurrences.next(after: max(now, last.at))
        } else {
            next = occurrences.next(after: due.at)
        }
        let late = (now.milliseconds - self.due.at.milliseconds) / 1000
        let grace = due.audience == .apple ? Self.leadGraceSeconds : Self.graceSeconds
        if late > grace { sends = schedule.ifMissed == .send }
        if due.audience != .everyone, late > Self.longestDelaySeconds { sends = false }
    }
}
