import Crypto
import PushCore
import PushModel
import SQLiteStore

/// What the administration commands work with.
struct Administration: Sendable {
    let store: SQLiteStore

    init(store: SQLiteStore) {
        self.store = store
    }

    init(dataDirectory path: String, makesDirectory: Bool) throws(CommandFailure) {
        let directory = DataDirectory(path: path)
        guard makesDirectory || directory.holdsDatabase else {
            throw .failed(
                "\(path) is no data directory of Pharos.",
                nextStep: "Make a project first with pharos project create, or name another place with --data-dir.")
        }
        do throws(StoreError) {
            store = try SQLiteStore(
                directory, role: .administration,
                options: .init(hash: { SHA256.hash($0) }, randomBytes: { SecureRandom.bytes($0) }))
        } catch {
            throw .store(error)
        }
    }

    /// Asks the store; its refusals become failures of the command.
    func ask<Result: Sendable>(
        _ question: (SQLiteStore) async throws(StoreError) -> Result
    ) async throws(CommandFailure) -> Result {
        do throws(StoreError) {
            return try await question(store)
        } catch {
            throw .store(error)
        }
    }

    /// The project that `--project` names, or the only one there is.
    func project(_ arguments: CommandArguments) async throws(CommandFailure) -> Project {
        if let name = arguments.value("project") { return try project(named: name) }
        let projects = try await ask { (store) throws(StoreError) in try store.projects() }
        switch projects.count {
        case 1: return projects[0]
        case 0: throw .failed("There is no project.", nextStep: "Make one: pharos project create PROJECT_ID.")
        default:
            throw .usage(
                "There are several projects: \(projects.map(\.id.text).joined(separator: ", ")).",
                nextStep: "Say which one with --project PROJECT_ID.")
        }
    }

    func project(named name: String) throws(CommandFailure) -> Project {
        guard let project = store.project(named: name) else {
            throw .failed("There is no project “\(name)”.", nextStep: "See which there are: pharos project list.")
        }
        return project
    }
}

extension CommandOption {
    static let project = CommandOption.value("project", "PROJECT_ID", "The project. Default: the only one there is.")
    static let server = CommandOption.value(
        "server", "URL", "Where clients reach this service.", default: "http://127.0.0.1:9599")
}

extension CommandArguments {
    /// The base URL of the service, without a slash at its end.
    func serverURL() throws(CommandFailure) -> String { try url("server") }

    /// A URL without a slash at its end.
    func url(_ option: String) throws(CommandFailure) -> String {
        var url = try required(option)
        while url.hasSuffix("/") { url.removeLast() }
        guard url.hasPrefix("https://") || url.hasPrefix("http://"), !url.contains(" "), url.utf8.count > 8 else {
            throw .usage("“\(url)” is no URL.", nextStep: "Give one like https://push.example.com.")
        }
        return url
    }
}
