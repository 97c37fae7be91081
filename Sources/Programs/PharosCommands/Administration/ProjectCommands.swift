import JSON
import PushCore
import PushModel
import SQLiteStore
import Timekeeping

extension AdministrationCommand {
    /// `pharos project create`
    static let projectCreate = AdministrationCommand(
        "project create", "Makes a project.", operands: ["PROJECT_ID"],
        options: [.value("name", "TEXT", "A name for people. Default: the id.")],
        discussion: "A project id has 6 to 30 small letters, digits and hyphens, and begins with a letter.",
        makesDirectory: true
    ) { (administration, arguments) async throws(CommandFailure) in
        guard let id = ProjectID(arguments.operands[0]) else {
            throw .usage(
                "“\(arguments.operands[0])” is no project id.",
                nextStep: "Choose 6 to 30 small letters, digits and hyphens, like my-app-2024.")
        }
        let project = try await administration.ask { (store) throws(StoreError) in
            try await store.createProject(id: id, displayName: arguments.value("name") ?? id.text)
        }
        return CommandReport(
            text: """
                Project \(project.id), sender id \(project.number).
                Next: pharos app create --project \(project.id) --platform ios --bundle-id com.example.app
                """,
            json: .object(project.json))
    }

    /// `pharos project list`
    static let projectList = AdministrationCommand("project list", "Lists the projects.") {
        (administration, _) async throws(CommandFailure) in
        let projects = try await administration.ask { (store) throws(StoreError) in try store.projects() }
        let rows = projects.map { [$0.id.text, $0.number.description, $0.displayName] }
        return CommandReport(
            text: rows.isEmpty
                ? "There is no project. Make one: pharos project create PROJECT_ID"
                : CommandReport.table([["PROJECT", "SENDER ID", "NAME"]] + rows),
            json: ["projects": .array(projects.map { .object($0.json) })])
    }

    /// `pharos project show`
    static let projectShow = AdministrationCommand(
        "project show", "Shows a project with its apps and keys.", operands: ["PROJECT"]
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try administration.project(named: arguments.operands[0])
        return ProjectOverview(project, in: administration.store).report
    }

    /// `pharos project delete`
    static let projectDelete = AdministrationCommand(
        "project delete", "Deletes a project with everything that belongs to it.", operands: ["PROJECT"],
        options: [.flag("yes", "Really do it.")],
        discussion: "Apps, keys, registrations and messages that wait go with it. There is no way back but a backup."
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try administration.project(named: arguments.operands[0])
        guard arguments.has("yes") else {
            throw .usage(
                "This deletes \(project.id) with its apps, keys and registrations.",
                nextStep: "Repeat it with --yes if you mean it; pharos backup makes a copy first.")
        }
        try await administration.ask { (store) throws(StoreError) in try await store.deleteProject(project.number) }
        return CommandReport(text: "Project \(project.id) is deleted.", json: ["deleted": .string(project.id.text)])
    }
}

extension Project {
    var json: JSONObject {
        [
            "project_id": .string(id.text), "sender_id": .string(number.description), "name": .string(displayName),
            "created_at_ms": .integer(createdAt.milliseconds),
        ]
    }
}
