/// One command of the program: `pharos <noun> <verb>`.
public struct Command: Sendable {
    /// The words that name it: `["project", "create"]`.
    public var words: [String]
    /// One line for the list of commands.
    public var summary: String
    /// What follows the words: `PROJECT_ID`. Shown in the help; each name is one operand that must be given, in
    /// brackets one that may be left out.
    public var operands: [String]
    public var options: [CommandOption]
    /// More for the help: what the command prints, an example.
    public var discussion: String
    public var run: @Sendable (CommandArguments) async throws(CommandFailure) -> Void

    public init(
        _ words: String, _ summary: String, operands: [String] = [], options: [CommandOption] = [],
        discussion: String = "", run: @escaping @Sendable (CommandArguments) async throws(CommandFailure) -> Void
    ) {
        self.words = words.split(separator: " ").map(String.init)
        self.summary = summary
        self.operands = operands
        self.options = options
        self.discussion = discussion
        self.run = run
    }

    var name: String { words.joined(separator: " ") }

    /// The text of `--help`.
    var helpText: String {
        let allOptions = options + CommandOption.common
        var text = "\(summary)\n\nUsage: pharos \(([name] + operands).joined(separator: " ")) [options]\n"
        if !discussion.isEmpty { text += "\n\(discussion)\n" }
        text += "\nOptions:\n"
        let column = (allOptions.map { Self.spelling(of: $0).count }.max() ?? 0) + 4
        for option in allOptions {
            let spelling = Self.spelling(of: option)
            text += "  " + spelling + String(repeating: " ", count: column - spelling.count) + option.help
            if let value = option.defaultValue { text += " Default: \(value)." }
            if option.placeholder != nil { text += " [\(option.environmentVariable)]" }
            text += "\n"
        }
        return text
    }

    private static func spelling(of option: CommandOption) -> String {
        "--" + option.name + (option.placeholder.map { " " + $0 } ?? "")
    }
}

/// Why a command did not do what was asked, and what to do next.
public struct CommandFailure: Error, Sendable, Equatable {
    /// Exit code: 1 when the work failed, 2 when the words of the command were wrong.
    public var exitCode: Int32
    public var message: String
    /// What the person can do now.
    public var nextStep: String

    /// The work failed.
    public static func failed(_ message: String, nextStep: String) -> CommandFailure {
        CommandFailure(exitCode: 1, message: message, nextStep: nextStep)
    }

    /// The command line was wrong.
    public static func usage(_ message: String, nextStep: String) -> CommandFailure {
        CommandFailure(exitCode: 2, message: message, nextStep: nextStep)
    }
}
