/// All commands, and the choice among them.
struct CommandTable: Sendable {
    enum Choice: Sendable {
        case run(Command, CommandArguments)
        case showHelp(String)
    }

    let commands: [Command]

    /// The command that the words name, with its arguments, or the help that they ask for.
    func choose(_ words: [String], environment: (String) -> String?) throws(CommandFailure) -> Choice {
        guard let first = words.first, first != "--help", first != "help" else { return .showHelp(overview) }
        if first == "--version" || first == "version" { return .showHelp("pharos \(PharosVersion.text)\n") }
        guard let command = command(named: words) else {
            let family = commands.filter { $0.words.first == first }
            guard words.dropFirst().first == "--help", !family.isEmpty else { throw unknown(words) }
            return .showHelp(familyHelp(first, family))
        }
        let arguments = try CommandArguments(
            words.dropFirst(command.words.count), of: command, environment: environment)
        return arguments.has("help") ? .showHelp(command.helpText) : .run(command, arguments)
    }

    private func command(named words: [String]) -> Command? {
        commands.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
    }

    private func unknown(_ words: [String]) -> CommandFailure {
        let noun = words.first ?? ""
        let verbs = commands.filter { $0.words.first == noun }.compactMap { $0.words.dropFirst().first }
        guard !verbs.isEmpty else {
            return .usage("Unknown command “\(noun)”.", nextStep: "See: pharos --help")
        }
        return .usage(
            "“pharos \(noun)” needs one of: \(verbs.joined(separator: ", ")).",
            nextStep: "See: pharos \(noun) --help")
    }

    private func familyHelp(_ noun: String, _ family: [Command]) -> String {
        """
        Usage: pharos \(noun) COMMAND [options]

        Commands:
        \(list(family))

        Each explains itself: pharos \(noun) COMMAND --help

        """
    }

    private func list(_ commands: [Command]) -> String {
        let column = (commands.map(\.name.count).max() ?? 0) + 4
        return commands.map { command in
            "  " + command.name + String(repeating: " ", count: column - command.name.count) + command.summary
        }.joined(separator: "\n")
    }

    private var overview: String {
        """
        Pharos: Firebase Cloud Messaging that anyone can run.

        Usage: pharos COMMAND [options]

        Commands:
        \(list(commands))

        Start with: pharos dev
        Each command explains itself: pharos COMMAND --help

        """
    }
}
