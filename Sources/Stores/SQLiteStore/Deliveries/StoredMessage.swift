import PushCore
import PushModel
import Timekeeping

/// A row of `messages`, without its id.
struct StoredMessage {
    var project: UInt64
    var acceptedAt, expiresAt: Int64
    var content: [UInt8]

    /// Reads project, accepted_at, expires_at and content, in that order.
    /// - Parameter column: That of the project.
    init(_ row: Row, from column: Int32 = 0) {
        project = UInt64(bitPattern: row.integer(column))
        acceptedAt = row.integer(column + 1)
        expiresAt = row.integer(column + 2)
        content = row.blob(column + 3)
    }

    /// `nil` when the project is gone or the content cannot be read.
    func validated(id: Int64, in directory: DirectorySnapshot) -> ValidatedMessage? {
        read.flatMap { $0.validated(id: id, in: directory) }
    }

    /// `nil` when the content cannot be read.
    var read: ReadMessage? {
        MessageArchive.decode(content).map { message, target in
            ReadMessage(
                project: ProjectNumber(value: project), target: target, message: message,
                acceptedAt: Timestamp(milliseconds: acceptedAt), expiresAt: Timestamp(milliseconds: expiresAt))
        }
    }
}

/// A row of `messages` whose content is read.
struct ReadMessage: Sendable {
    var project: ProjectNumber
    var target: SendTarget
    var message: Message
    var acceptedAt, expiresAt: Timestamp

    /// `nil` when the project is gone.
    func validated(id: Int64, in directory: DirectorySnapshot) -> ValidatedMessage? {
        let known = project == Project.none.number ? Project.none : directory.projectsByNumber[project]
        guard let project = known else { return nil }
        return ValidatedMessage(
            id: MessageID(value: id), project: project, target: target, message: message, acceptedAt: acceptedAt,
            expiresAt: expiresAt)
    }
}
