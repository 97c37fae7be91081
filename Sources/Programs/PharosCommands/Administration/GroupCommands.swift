import JSON
import PushCore
import PushModel
import SQLiteStore

extension AdministrationCommand {
    /// `pharos group create`
    static let groupCreate = change("create", "Makes a device group and prints its notification key.") {
        (groups, name, tokens, project) async throws(DeviceGroupError) in
        try await groups.create(named: name, tokens: tokens, in: project)
    }

    /// `pharos group add`
    static let groupAdd = change("add", "Adds devices to a group.") {
        (groups, name, tokens, project) async throws(DeviceGroupError) in
        try await groups.add(tokens, to: try groups.key(named: name, in: project), named: name, in: project)
    }

    /// `pharos group remove`
    static let groupRemove = change("remove", "Removes devices from a group; without members it is gone.") {
        (groups, name, tokens, project) async throws(DeviceGroupError) in
        try await groups.remove(tokens, from: try groups.key(named: name, in: project), named: name, in: project)
    }

    /// `pharos group show`
    static let groupShow = AdministrationCommand(
        "group show", "Shows a device group, or all of a project.", operands: ["[NAME]"], options: [.project]
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        let audience = Audience(administration.store)
        guard let name = arguments.operands.first else { return try await allGroups(of: project, administration) }
        let found = try await administration.ask { (store) throws(StoreError) in
            try store.group(named: name, in: project.number)
        }
        guard let group = found else { throw .groups(.notFound) }
        let members = try await administration.ask { (store) throws(StoreError) in
            var members: [String] = []
            for id in group.members {
                guard let member = try store.registration(id) else { continue }
                members.append(audience.tokens.token(of: member) + (member.ending == nil ? "" : "  (gone)"))
            }
            return members
        }
        return CommandReport(
            text: (["\(group.name): \(members.count) members", "Key: \(audience.keys.key(of: group))"] + members)
                .joined(separator: "\n"),
            json: [
                "name": .string(group.name), "notification_key": .string(audience.keys.key(of: group)),
                "members": .array(members.map { .string($0) }),
            ])
    }

    private static func change(
        _ verb: String, _ summary: String,
        _ work:
            @escaping @Sendable (DeviceGroups, String, [String], ProjectNumber) async throws(DeviceGroupError)
            -> String
    ) -> AdministrationCommand {
        AdministrationCommand(
            "group \(verb)", summary, operands: ["NAME"],
            options: [
                .project, .value("token", "TOKEN", "A registration token or FID. May be repeated.", repeatable: true),
            ]
        ) { (administration, arguments) async throws(CommandFailure) in
            let project = try await administration.project(arguments)
            let tokens = arguments.allValues("token")
            guard !tokens.isEmpty else {
                throw .usage("--token is needed.", nextStep: "See: pharos group \(verb) --help")
            }
            do throws(DeviceGroupError) {
                let key = try await work(
                    Audience(administration.store).groups, arguments.operands[0], tokens, project.number)
                return CommandReport(text: key, json: ["notification_key": .string(key)])
            } catch {
                throw .groups(error)
            }
        }
    }

    private static func allGroups(
        of project: Project, _ administration: Administration
    ) async throws(CommandFailure) -> CommandReport {
        let groups = try await administration.ask { (store) throws(StoreError) in
            try store.groups(in: project.number, after: nil, limit: 100_000)
        }
        let rows = groups.map { [$0.name, String($0.members.count)] }
        return CommandReport(
            text: rows.isEmpty ? "There is no group." : CommandReport.table([["GROUP", "MEMBERS"]] + rows),
            json: [
                "groups": .array(
                    groups.map { ["name": .string($0.name), "members": .integer($0.members.count)] })
            ])
    }
}
