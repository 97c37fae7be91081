public import Timekeeping

/// The store's number of a session.
public struct SessionID: Hashable, Sendable {
    public let value: Int64

    public init(value: Int64) {
        self.value = value
    }
}

/// A person's stay in the console. The store has the hash of its secret only.
public struct ConsoleSession: Sendable, Equatable {
    public var id: SessionID
    public var createdAt: Timestamp
    public var usedAt: Timestamp

    public init(id: SessionID, createdAt: Timestamp, usedAt: Timestamp) {
        self.id = id
        self.createdAt = createdAt
        self.usedAt = usedAt
    }
}

/// How long sessions last.
public struct SessionRules: Sendable {
    /// Without a request. Unit: seconds.
    public var idleSeconds: Int64
    /// From the sign-in on, however busy. Unit: seconds.
    public var absoluteSeconds: Int64
    /// Older sessions of a user end when there are more.
    public var maximumPerUser: Int
    /// How exactly the last use is noted: at most one write in that time. Unit: seconds.
    public var noteSeconds: Int64

    public init(
        idleSeconds: Int64 = 12 * 3600, absoluteSeconds: Int64 = 7 * 86_400, maximumPerUser: Int = 50,
        noteSeconds: Int64 = 60
    ) {
        self.idleSeconds = idleSeconds
        self.absoluteSeconds = absoluteSeconds
        self.maximumPerUser = maximumPerUser
        self.noteSeconds = noteSeconds
    }

    /// Whether the session has not ended.
    public func isAlive(_ session: ConsoleSession, at now: Timestamp) -> Bool {
        now < session.createdAt.adding(seconds: absoluteSeconds) && now < session.usedAt.adding(seconds: idleSeconds)
    }

    /// Whether the use is worth a note in the store.
    func needsNote(_ session: ConsoleSession, at now: Timestamp) -> Bool {
        now >= session.usedAt.adding(seconds: min(noteSeconds, idleSeconds / 2))
    }
}
