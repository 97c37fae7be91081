public import PushModel
public import Timekeeping

/// One line of the audit log: who did what, when.
public struct AuditEntry: Sendable, Equatable {
    /// Of each, at most so much is kept. Unit: characters.
    public static let maximumTextCharacters = 512

    /// The store's number, growing with time; 0 before it is stored.
    public var serial: Int64
    public var time: Timestamp
    /// The name, which stays when the user is deleted.
    public var user: String
    /// `project.delete`, `campaign.publish`: the operation of the API, or `user.password` of the command line.
    public var action: String
    /// `nil` for what concerns no single project.
    public var project: ProjectNumber?
    /// What was acted on: an id or a name.
    public var subject: String
    /// More for people; no secrets.
    public var detail: String

    public init(
        serial: Int64 = 0, time: Timestamp, user: String, action: String, project: ProjectNumber?, subject: String,
        detail: String = ""
    ) {
        self.serial = serial
        self.time = time
        self.user = user
        self.action = action
        self.project = project
        self.subject = String(subject.prefix(Self.maximumTextCharacters))
        self.detail = String(detail.prefix(Self.maximumTextCharacters))
    }
}
