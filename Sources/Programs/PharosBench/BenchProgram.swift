import Glibc
import JSON

/// The `pharos-bench` program: loads that need code of our own. `scripts/bench` runs them beside their peers.
public enum BenchProgram {
    private static let loads: [BenchLoad] = [
        .world, .queue, .gateway, .store, .stages, .topics, .inbox, .clients, .relay, .floor, .console,
    ]

    /// Runs the load that the arguments name and prints one JSON object. Exits with 0, 1 when it failed, 2 for wrong
    /// words.
    public static func main() async {
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            guard let load = loads.first(where: { $0.name == words.first }) else { throw BenchFailure.usage(overview) }
            let result = try await load.run(try BenchArguments(words.dropFirst()))
            print(String(decoding: result.encoded, as: UTF8.self))
            exit(0)
        } catch let failure as BenchFailure {
            print("pharos-bench: \(failure.text)")
            exit(failure.exitCode)
        } catch {
            print("pharos-bench: \(error)")
            exit(1)
        }
    }

    private static var overview: String {
        (["name a load, then options as --name value:"] + loads.map { "  \($0.name): \($0.summary)" })
            .joined(separator: "\n")
    }
}
