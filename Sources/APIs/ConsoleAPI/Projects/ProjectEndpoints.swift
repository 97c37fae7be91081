import Accounts
import GoogleAPI
import JSON
public import PushCore
import PushModel
import Timekeeping

/// Projects.
public struct ProjectEndpoints: Sendable {
    /// What the endpoints of projects ask: the store.
    public typealias Store = ProjectAdministration & ProjectDirectory

    static let nameSchema = ConsoleSchema.text(1, upTo: 100)

    let store: any Store

    public init(store: any Store) {
        self.store = store
    }

    public var part: ConsolePart {
        ConsolePart(
            "Projects",
            endpoints: [
                ConsoleEndpoint(
                    "project.list", "GET", "projects", "Lists the projects that the caller may see.",
                    access: .signedIn, query: ConsolePage.parameters,
                    answer: .json(.page("projects", of: .reference("Project"))), handler: list),
                ConsoleEndpoint(
                    "project.create", "POST", "projects", "Makes a project.", access: .server,
                    body: .object([
                        .required(
                            "projectId", .text(6, upTo: 30, pattern: "^[a-z][a-z0-9-]{4,28}[a-z0-9]$"),
                            "Small letters, digits and hyphens; cannot be changed."),
                        .optional("displayName", Self.nameSchema, "For people; the id if it is not given."),
                    ]), answer: .json(.reference("Project")), handler: create),
                ConsoleEndpoint(
                    "project.get", "GET", "projects/{project}", "Shows a project.", access: .project(.viewer),
                    answer: .json(.reference("Project")), handler: show),
                ConsoleEndpoint(
                    "project.update", "PATCH", "projects/{project}", "Changes a project's name.",
                    access: .project(.administrator), body: .object([.optional("displayName", Self.nameSchema)]),
                    answer: .json(.reference("Project")), handler: update),
                ConsoleEndpoint(
                    "project.delete", "DELETE", "projects/{project}",
                    "Deletes a project with its apps, keys, registrations and messages.",
                    access: .project(.administrator), handler: delete),
                ConsoleEndpoint(
                    "project.checklist", "GET", "projects/{project}/checklist", "Says what is left to set up.",
                    access: .project(.viewer),
                    answer: .json(
                        .object([.required("items", .list(.reference("ChecklistItem"), maximumItems: 20))])),
                    handler: checklist),
            ],
            schemas: [
                "Project": .object([
                    .required("projectId", .text(1)),
                    .required("projectNumber", .text(1), "Also the sender id."),
                    .required("displayName", .text()),
                    .required("role", UserDocuments.roleSchema, "What the caller may do."),
                    .required("createdAt", .time),
                ]), "ChecklistItem": Checklist.itemSchema,
            ])
    }

    private func list(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let (visitor, page) = (try request.signedIn(), try request.page())
        let projects = try await asking { () async throws(StoreError) in try store.projects() }
        let visible = projects.filter { visitor.user.role(in: $0.number) != nil && $0.id.text > page.key ?? "" }
            .sorted { $0.id.text < $1.id.text }.prefix(page.size + 1)
        return page.answer("projects", Array(visible), key: \.id.text) { project in
            .object(json(project, visitor.user.role(in: project.number)))
        }
    }

    private func create(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        guard let id = ProjectID(request.body["projectId"]?.string ?? "") else {
            throw .invalidField(
                "projectId",
                "A project id has 6 to 30 small letters, digits and hyphens, begins with a letter and ends with no hyphen."
            )
        }
        let name = request.body["displayName"]?.string ?? id.text
        let project = try await asking { () async throws(StoreError) in
            try await store.createProject(id: id, displayName: name)
        }
        var answer = ConsoleAnswer.json(json(project, .administrator)).audited(id.text, name)
        answer.auditProject = project.number
        return answer
    }

    private func show(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        .json(json(request.project, request.role))
    }

    private func update(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        var project = request.project
        if let name = request.body["displayName"]?.string {
            try await asking { () async throws(StoreError) in
                try await store.renameProject(request.project.number, displayName: name)
            }
            project.displayName = name
        }
        return .json(json(project, request.role)).audited(project.id.text, project.displayName)
    }

    private func delete(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        try await asking { () async throws(StoreError) in try await store.deleteProject(request.project.number) }
        return .done.audited(request.project.id.text)
    }

    private func checklist(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let project = request.project.number
        let progress = try await asking { () async throws(StoreError) in try store.progress(of: project) }
        let serverKeys = try await asking { () async throws(StoreError) in try store.serverKeys(of: project) }
        let list = Checklist(
            apps: store.apps(of: project), credentials: store.apnsCredentials(of: project),
            hasAppServer: !serverKeys.isEmpty || store.serviceAccounts(of: project).contains(where: \.isEnabled),
            progress: progress)
        return .json(["items": .array(list.items.map(\.json))])
    }

    private func json(_ project: Project, _ role: ConsoleRole?) -> JSONObject {
        [
            "projectId": .string(project.id.text), "projectNumber": .string(project.number.description),
            "displayName": .string(project.displayName), "role": .string((role ?? .viewer).rawValue),
            "createdAt": .string(project.createdAt.rfc3339),
        ]
    }
}
