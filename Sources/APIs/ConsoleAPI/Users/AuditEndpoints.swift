public import Accounts
import GoogleAPI
import JSON
public import PushCore
import PushModel
import Timekeeping

/// The audit log: of all to administrators of the server, of a project to its administrators.
public struct AuditEndpoints: Sendable {
    let store: any AccountStore
    let directory: any ProjectDirectory

    public init(store: any AccountStore, directory: any ProjectDirectory) {
        self.store = store
        self.directory = directory
    }

    public var part: ConsolePart {
        ConsolePart(
            "Audit log",
            endpoints: [
                ConsoleEndpoint(
                    "audit.list", "GET", "audit", "Lists who did what, newest first.", access: .signedIn,
                    query: [.init("projectId", .text(upTo: 64), "Only what concerns this project.")]
                        + ConsolePage.parameters,
                    answer: .json(.page("entries", of: .reference("AuditEntry"))), handler: list)
            ],
            schemas: [
                "AuditEntry": .object([
                    .required("time", .time), .required("user", .text(), "The name."),
                    .required("action", .text(1), "The operation: operationId of this file, and a few others."),
                    .optional("projectId", .text()), .required("subject", .text(), "What was acted on."),
                    .required("detail", .text()),
                ])
            ])
    }

    private func list(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let project = try project(request)
        let page = try request.page()
        let before = try page.integerKey()
        let entries = try await asking { () async throws(StoreError) in
            try store.auditEntries(of: project, before: before, limit: page.size + 1)
        }
        return page.answer("entries", entries, key: \.serial) { .object(json($0)) }
    }

    /// `nil` for all.
    private func project(_ request: ConsoleRequest) throws(GoogleError) -> ProjectNumber? {
        let user = try request.signedIn().user
        guard let name = request.query("projectId") else {
            guard user.isAdministrator else {
                throw GoogleError(
                    .permissionDenied,
                    "The whole log is for administrators of the server. Name a project with projectId.")
            }
            return nil
        }
        guard let project = directory.project(named: name), let role = user.role(in: project.number) else {
            throw .absent("project")
        }
        guard role == .administrator else {
            throw GoogleError(.permissionDenied, "The log of \(project.id) is for its administrators.")
        }
        return project.number
    }

    private func json(_ entry: AuditEntry) -> JSONObject {
        var json: JSONObject = [
            "time": .string(entry.time.rfc3339), "user": .string(entry.user), "action": .string(entry.action),
            "subject": .string(entry.subject), "detail": .string(entry.detail),
        ]
        if let number = entry.project {
            json["projectId"] = .string(directory.project(number: number)?.id.text ?? number.description)
        }
        return json
    }
}
