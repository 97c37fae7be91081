import Accounts
import GoogleAPI
import JSON
public import PushCore
import PushModel
import Timekeeping

/// Projects.
public struct ProjectEndpoints: Sendable {
    let administration: any ProjectAdministration & ProjectDirectory

    public init(administration: any ProjectAdministration & ProjectDirectory) {
        self.administration = administration
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
                    "project.get", "GET", "projects/{project}", "Shows a project.", access: .project(.viewer),
                    answer: .json(.reference("Project")), handler: show),
            ],
            schemas: [
                "Project": .object([
                    .required("projectId", .text(1)),
                    .required("projectNumber", .text(1), "Also the sender id."),
                    .required("displayName", .text()),
                    .required("role", UserDocuments.roleSchema, "What the caller may do."),
                    .required("createdAt", .time),
                ])
            ])
    }

    private func list(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let (visitor, page) = (try request.signedIn(), try request.page())
        let projects = try await asking { () async throws(StoreError) in try administration.projects() }
        let visible = projects.filter { visitor.user.role(in: $0.number) != nil && $0.id.text > page.key ?? "" }
            .sorted { $0.id.text < $1.id.text }.prefix(page.size + 1)
        return page.answer("projects", Array(visible), key: \.id.text) { project in
            .object(json(project, visitor.user.role(in: project.number)))
        }
    }

    private func show(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        .json(json(request.project, request.role))
    }

    private func json(_ project: Project, _ role: ConsoleRole?) -> JSONObject {
        [
            "projectId": .string(project.id.text), "projectNumber": .string(project.number.description),
            "displayName": .string(project.displayName), "role": .string((role ?? .viewer).rawValue),
            "createdAt": .string(project.createdAt.rfc3339),
        ]
    }
}
