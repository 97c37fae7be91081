public import PushModel
public import Timekeeping

/// The number of a campaign: apps report it back as `google.c.a.c_id`.
public struct CampaignID: Hashable, Sendable, CustomStringConvertible {
    public let value: Int64

    public init(value: Int64) {
        self.value = value
    }

    /// `nil` unless the text is a positive number.
    public init?(_ text: some StringProtocol) {
        guard let value = Int64(text), value > 0, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.value = value
    }

    public var description: String { String(value) }
}

/// A message that is sent by itself: at a time, or again and again.
public struct Campaign: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        case draft = "DRAFT"
        /// Published; its first time is to come.
        case scheduled = "SCHEDULED"
        /// Sent at least once, and goes on.
        case running = "RUNNING"
        case paused = "PAUSED"
        /// Nothing is to be sent any more.
        case completed = "COMPLETED"
        case cancelled = "CANCELLED"
        /// It could not be sent; `stateReason` says why.
        case failed = "FAILED"
    }

    public var id: CampaignID
    public var project: ProjectNumber
    /// Counts edits.
    public var revision: Int64
    /// Counts every change, those by the runner too: who changes a campaign must have seen the last one.
    public var version: Int64
    public var state: State
    public var stateReason: String
    public var content: CampaignContent
    public var createdAt: Timestamp
    public var createdBy: String
    public var updatedAt: Timestamp
    public var publishedAt: Timestamp?
    /// What is due next. A paused campaign keeps it.
    public var next: Occurrence?
    public var lastRunAt: Timestamp?
    public var runs: Int64

    public init(
        id: CampaignID, project: ProjectNumber, revision: Int64 = 1, version: Int64 = 1, state: State = .draft,
        stateReason: String = "", content: CampaignContent, createdAt: Timestamp, createdBy: String,
        updatedAt: Timestamp, publishedAt: Timestamp? = nil, next: Occurrence? = nil, lastRunAt: Timestamp? = nil,
        runs: Int64 = 0
    ) {
        self.id = id
        self.project = project
        self.revision = revision
        self.version = version
        self.state = state
        self.stateReason = stateReason
        self.content = content
        self.createdAt = createdAt
        self.createdBy = createdBy
        self.updatedAt = updatedAt
        self.publishedAt = publishedAt
        self.next = next
        self.lastRunAt = lastRunAt
        self.runs = runs
    }

    /// Whether the runner looks after it.
    public var isActive: Bool { state == .scheduled || state == .running }
}

/// How many, over all runs of a campaign.
public struct CampaignCounts: Sendable, Equatable {
    public var targeted: Int64
    /// Taken by APNs, by a push service, or by the device.
    public var sent: Int64
    public var failed: Int64
    public var expired: Int64
    public var opened: Int64
    /// Whether the last run still finds recipients.
    public var isSplitting: Bool

    public init(
        targeted: Int64 = 0, sent: Int64 = 0, failed: Int64 = 0, expired: Int64 = 0, opened: Int64 = 0,
        isSplitting: Bool = false
    ) {
        self.targeted = targeted
        self.sent = sent
        self.failed = failed
        self.expired = expired
        self.opened = opened
        self.isSplitting = isSplitting
    }
}

/// One time that a campaign was due.
public struct CampaignRun: Sendable, Equatable {
    public enum Result: String, Sendable, CaseIterable {
        /// The message is durable and on its way.
        case accepted = "ACCEPTED"
        /// Its time had passed, and the schedule says to leave it out then.
        case skipped = "SKIPPED"
        case failed = "FAILED"
    }

    /// From 1.
    public var number: Int64
    public var due: Occurrence
    public var ranAt: Timestamp
    public var result: Result
    /// Earlier times that passed without being sent.
    public var missed: Int64
    public var message: MessageID?
    public var reason: String
    public var counts: CampaignCounts

    public init(
        number: Int64, due: Occurrence, ranAt: Timestamp, result: Result, missed: Int64 = 0, message: MessageID? = nil,
        reason: String = "", counts: CampaignCounts = CampaignCounts()
    ) {
        self.number = number
        self.due = due
        self.ranAt = ranAt
        self.result = result
        self.missed = missed
        self.message = message
        self.reason = reason
        self.counts = counts
    }
}
