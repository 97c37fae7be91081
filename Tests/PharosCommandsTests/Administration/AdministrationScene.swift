import Crypto
import Glibc
import JSON
import PushCore
import PushModel
import SQLiteStore
import Timekeeping

@testable import PharosCommands

/// A data directory that is deleted with the value, and the administration commands on it.
final class AdministrationScene: Sendable {
    let path: String
    let administration: Administration

    init() throws {
        path = "/tmp/pharos-administration-test-\(getpid())-\(UInt64.random(in: .min ... .max))"
        try PrivateFile.makeDirectory(path)
        administration = try Administration(dataDirectory: path + "/data", makesDirectory: true)
    }

    deinit {
        administration.store.close()
        for directory in [path + "/backup", path + "/data", path] { Self.remove(directory) }
    }

    var store: SQLiteStore { administration.store }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ text: String, to name: String) throws -> String {
        try PrivateFile.write(Array(text.utf8), to: file(name), mode: 0o600)
        return file(name)
    }

    /// Runs a command with the words that follow its name.
    func run(_ command: AdministrationCommand, _ words: String...) async throws -> CommandReport {
        let arguments = try CommandArguments(words, of: command.command, environment: { _ in nil })
        return try await command.work(administration, arguments)
    }

    /// What a command says when it refuses.
    func refusal(of command: AdministrationCommand, _ words: String...) async -> CommandFailure? {
        do {
            let arguments = try CommandArguments(words, of: command.command, environment: { _ in nil })
            _ = try await command.work(administration, arguments)
            return nil
        } catch {
            return error
        }
    }

    func project(_ id: String = "my-app") async throws -> Project {
        _ = try await run(.projectCreate, id)
        return try administration.project(named: id)
    }

    private static func remove(_ path: String) {
        guard let directory = opendir(path) else { return }
        defer {
            closedir(directory)
            rmdir(path)
        }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            unlink(path + "/" + name)
        }
    }
}
