import JSON
import PushCore
import SQLiteStore

extension AdministrationCommand {
    /// `pharos backup`
    static let backup = AdministrationCommand(
        "backup", "Copies the whole data directory, while the server runs.", operands: ["DIRECTORY"],
        discussion: """
            DIRECTORY must not exist. The copy holds every secret of the service: its mode is 0700. Bring it back with
            pharos restore.
            """
    ) { (administration, arguments) async throws(CommandFailure) in
        let path = arguments.operands[0]
        try await administration.ask { (store) throws(StoreError) in try store.backup(to: path) }
        return CommandReport(text: "\(path) is a whole copy.", json: ["backup": .string(path)])
    }

}

extension Command {
    /// `pharos restore`
    static let restore = Command(
        "restore", "Puts a backup into a data directory that no server uses.", operands: ["BACKUP"],
        options: [
            .dataDirectory,
            .flag("replace", "Put the database that is there aside, as pharos.sqlite3.replaced."),
        ],
        discussion: """
            Messages that waited when the backup was made are sent again, unless their time to live has ended.
            """
    ) { (arguments) async throws(CommandFailure) in
        let (backup, path) = (arguments.operands[0], try arguments.required("data-dir"))
        do throws(StoreError) {
            try SQLiteStore.restore(
                from: backup, to: DataDirectory(path: path), replacing: arguments.has("replace"))
        } catch {
            throw .store(error)
        }
        CommandReport(
            text: "\(path) is as it was in \(backup).\nNext: pharos serve --data-dir \(path)",
            json: ["data_dir": .string(path), "backup": .string(backup)]
        ).show(asJSON: arguments.wantsJSON)
    }
}
