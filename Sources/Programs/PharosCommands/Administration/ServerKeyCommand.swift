import ConsoleAPI
import Crypto
import JSON
import PushCore
import PushModel
import SQLiteStore

extension AdministrationCommand {
    /// `pharos server-key create`
    static let serverKeyCreate = AdministrationCommand(
        "server-key create", "Makes a legacy server key, for app servers that still use the old HTTP protocol.",
        options: [.project],
        discussion: "The key is shown once: the store keeps its hash alone."
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        let key = ServerKeyText.generate()
        _ = try await administration.ask { (store) throws(StoreError) in
            try await store.addServerKey(hash: SHA256.hash(Array(key.utf8)), to: project.number)
        }
        return CommandReport(
            text: key,
            json: [
                "server_key": .string(key), "project_id": .string(project.id.text),
                "sender_id": .string(project.number.description),
            ])
    }
}
