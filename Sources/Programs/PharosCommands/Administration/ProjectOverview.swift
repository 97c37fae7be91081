import JSON
import PushModel
import SQLiteStore

/// A project with what belongs to it, without secrets.
struct ProjectOverview {
    let project: Project
    let apps: [App]
    let accounts: [ServiceAccount]
    let credentials: [APNsCredential]
    let serverKeyCount: Int

    init(_ project: Project, in store: SQLiteStore) {
        self.project = project
        apps = store.apps(of: project.number)
        accounts = store.serviceAccounts(of: project.number)
        credentials = store.apnsCredentials(of: project.number)
        serverKeyCount = store.serverKeyCount(of: project.number)
    }

    var report: CommandReport { CommandReport(text: text, json: .object(json)) }

    private var json: JSONObject {
        var json = project.json
        json["apps"] = .array(apps.map { .object($0.json) })
        json["service_accounts"] = .array(
            accounts.map {
                ["email": .string($0.email), "key_id": .string($0.keyID), "enabled": .bool($0.isEnabled)]
            })
        json["apns_credentials"] = .array(credentials.map { .object($0.json) })
        json["server_keys"] = .integer(serverKeyCount)
        return json
    }

    private var text: String {
        var lines = [
            "Project      \(project.id)", "Name         \(project.displayName)", "Sender id    \(project.number)",
            "Server keys  \(serverKeyCount)",
        ]
        lines += section("Apps", apps.map { [$0.id.platform.rawValue, $0.bundleID, $0.id.text, $0.apiKey] })
        lines += section(
            "Service accounts", accounts.map { [$0.email, $0.keyID, $0.isEnabled ? "enabled" : "disabled"] })
        lines += section("APNs credentials", credentials.map(\.cells))
        return lines.joined(separator: "\n")
    }

    private func section(_ title: String, _ rows: [[String]]) -> [String] {
        ["", title, rows.isEmpty ? "(none)" : CommandReport.table(rows)]
    }
}

extension APNsCredential {
    var json: JSONObject {
        var json: JSONObject = [
            "serial": .integer(serial), "environments": .array(environmentNames.map { .string($0) }),
            "bundle_ids": .array(bundleIDs.sorted().map { .string($0) }),
        ]
        switch kind {
        case .signingKey(_, let keyID, let teamID):
            json["kind"] = "key"
            json["key_id"] = .string(keyID)
            json["team_id"] = .string(teamID)
        case .certificate:
            json["kind"] = "certificate"
        }
        return json
    }

    var environmentNames: [String] { environments.map(\.rawValue).sorted() }

    fileprivate var cells: [String] {
        let name: String
        switch kind {
        case .signingKey(_, let keyID, let teamID): name = "key \(keyID) of team \(teamID)"
        case .certificate: name = "certificate"
        }
        let apps = bundleIDs.isEmpty ? "all apps" : bundleIDs.sorted().joined(separator: ", ")
        return ["\(serial)", name, environmentNames.joined(separator: ", "), apps]
    }
}
