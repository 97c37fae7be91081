import SQLiteStore

/// A command that looks at the store or changes it, beside a running server or without one.
struct AdministrationCommand: Sendable {
    typealias Work =
        @Sendable (Administration, CommandArguments) async throws(CommandFailure) -> CommandReport

    let words: String
    let summary: String
    let operands: [String]
    let options: [CommandOption]
    let discussion: String
    /// Whether a data directory that is missing is made; else it is a failure.
    let makesDirectory: Bool
    /// Does the work; what it says is shown afterwards.
    let work: Work

    init(
        _ words: String, _ summary: String, operands: [String] = [], options: [CommandOption] = [],
        discussion: String = "", makesDirectory: Bool = false, work: @escaping Work
    ) {
        self.words = words
        self.summary = summary
        self.operands = operands
        self.options = [.dataDirectory] + options
        self.discussion = discussion
        self.makesDirectory = makesDirectory
        self.work = work
    }

    /// The command as the program lists it.
    var command: Command {
        Command(words, summary, operands: operands, options: options, discussion: discussion) {
            (arguments) async throws(CommandFailure) in
            let administration = try Administration(
                dataDirectory: try arguments.required("data-dir"), makesDirectory: makesDirectory)
            defer { administration.store.close() }
            try await work(administration, arguments).show(asJSON: arguments.wantsJSON)
        }
    }
}
