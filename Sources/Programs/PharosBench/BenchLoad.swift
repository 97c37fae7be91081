import JSON

/// One load: its name on the command line, and what it does.
struct BenchLoad: Sendable {
    let name: String
    /// What it does, and its options.
    let summary: String
    /// Answers what it measured.
    let run: @Sendable (BenchArguments) async throws -> JSONObject
}

/// Why a load did not run.
enum BenchFailure: Error {
    case usage(String)
    case failed(String)

    var text: String {
        switch self {
        case .usage(let text), .failed(let text): text
        }
    }

    var exitCode: Int32 {
        if case .usage = self { 2 } else { 1 }
    }
}
