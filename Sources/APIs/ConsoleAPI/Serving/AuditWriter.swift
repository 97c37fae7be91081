public import Accounts
import PushModel
public import Telemetry
public import Timekeeping

/// Writes the audit log.
public struct AuditWriter: Sendable {
    private let store: any AccountStore
    private let clock: any WallClock
    private let logger: Logger

    /// - Parameter clock: The machine's, also in the emulator: the log says when a person really did something.
    public init(store: any AccountStore, clock: any WallClock, logger: Logger) {
        self.store = store
        self.clock = clock
        self.logger = logger
    }

    /// Notes what was done. What is done is done: a note that cannot be stored goes to the program's log.
    func note(_ endpoint: ConsoleEndpoint, _ request: ConsoleRequest, _ answer: ConsoleAnswer) async {
        let lastParameter = endpoint.pathParameters.last.map { request[path: $0] }
        await note(
            user: request.userName, action: endpoint.name,
            project: answer.auditProject ?? (request.project == .none ? nil : request.project.number),
            subject: answer.auditSubject ?? lastParameter ?? "", detail: answer.auditDetail)
    }

    func note(user: String, action: String, project: ProjectNumber?, subject: String, detail: String) async {
        let entry = AuditEntry(
            time: clock.now(), user: user, action: action, project: project, subject: subject, detail: detail)
        do {
            try await store.record(entry)
        } catch {
            logger.error(
                "audit entry lost", ["user": .init(user), "action": .init(action), "subject": .init(subject)])
        }
    }
}
