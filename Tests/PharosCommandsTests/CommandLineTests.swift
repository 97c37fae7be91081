import Testing

@testable import PharosCommands

@Suite struct `Command line` {
    static let create = Command(
        "project create", "Creates a project.", operands: ["PROJECT_ID", "[NAME]"],
        options: [.dataDirectory, .value("tag", "TAG", "A tag.", repeatable: true), .flag("force", "Do it anyway.")]
    ) { _ in }
    static let table = CommandTable(commands: [create, Command("project list", "Lists.") { _ in }])

    struct Row: Sendable {
        var words: [String]
        var failure: String

        init(_ words: String, _ failure: String) {
            self.words = words.split(separator: " ").map(String.init)
            self.failure = failure
        }
    }

    static let refused = [
        Row("fly", "Unknown command “fly”."),
        Row("project", "“pharos project” needs one of: create, list."),
        Row("project destroy", "“pharos project” needs one of: create, list."),
        Row("project create", "Missing PROJECT_ID."),
        Row("project create a b c", "Unexpected word “c”."),
        Row("project create a --nope", "Unknown option --nope."),
        Row("project create a --data-dir", "--data-dir needs a value."),
        Row("project create a --data-dir x --data-dir y", "--data-dir is given twice."),
        Row("project create a --force=yes", "--force takes no value."),
    ]

    @Test(arguments: refused) func `refuses wrong words and says which`(row: Row) {
        let failure = #expect(throws: CommandFailure.self) {
            _ = try Self.table.choose(row.words, environment: { _ in nil })
        }
        #expect(failure?.message == row.failure)
        #expect(failure?.exitCode == 2)
        #expect(failure?.nextStep.isEmpty == false)
    }

    private func arguments(
        _ words: String, environment: [String: String] = [:]
    ) throws -> CommandArguments {
        let choice = try Self.table.choose(
            words.split(separator: " ").map(String.init), environment: { environment[$0] })
        guard case .run(_, let arguments) = choice else { throw CommandFailure.usage("help", nextStep: "") }
        return arguments
    }

    @Test func `sorts operands, options and flags`() throws {
        let arguments = try arguments("project create demo --tag a --tag=b --force --json")
        #expect(arguments.operands == ["demo"])
        #expect(arguments.allValues("tag") == ["a", "b"])
        #expect(arguments.has("force") && arguments.wantsJSON)
        #expect(arguments.value("data-dir") == "./pharos-data")
    }

    @Test func `takes a value from the words before the variable before the default`() throws {
        let environment = ["PHAROS_DATA_DIR": "/from/variable", "PHAROS_FORCE": "1"]
        let fromVariable = try arguments("project create demo", environment: environment)
        #expect(fromVariable.value("data-dir") == "/from/variable")
        #expect(fromVariable.has("force"))
        let fromWords = try arguments("project create demo --data-dir /from/words", environment: environment)
        #expect(fromWords.value("data-dir") == "/from/words")
    }

    @Test func `shows the help of a command without asking for its operands`() throws {
        let choice = try Self.table.choose(["project", "create", "--help"], environment: { _ in nil })
        guard case .showHelp(let text) = choice else {
            Issue.record("expected help")
            return
        }
        #expect(text.contains("Usage: pharos project create PROJECT_ID [NAME]"))
        #expect(text.contains("PHAROS_DATA_DIR"))
    }

    @Test(arguments: ["0", "11", "x", "", "1.5", "99999999999999999999"])
    func `refuses numbers out of range`(text: String) throws {
        let arguments = try CommandArguments(
            ["--n=" + text], of: Command("c", "", options: [.value("n", "N", "")]) { _ in },
            environment: { _ in nil })
        #expect(throws: CommandFailure.self) { _ = try arguments.integer("n", in: 1...10) }
    }

    @Test(
        arguments: [
            (["project", "--help"], "project list"), (["--help"], "project create"), (["help"], "pharos COMMAND"),
            (["--version"], "pharos 0."), (["version"], "pharos 0."),
        ])
    func `explain commands, families of them and the program`(words: [String], contained: String) throws {
        guard case .showHelp(let text) = try Self.table.choose(words, environment: { _ in nil }) else {
            Issue.record("no help")
            return
        }
        #expect(text.contains(contained))
    }

    @Test(arguments: [
        ["nothing", "--help"], ["project"], ["project", "--version"], ["project", "nothing", "--help"],
    ])
    func `say what there is instead of a word that is none`(words: [String]) {
        #expect(throws: CommandFailure.self) { try Self.table.choose(words, environment: { _ in nil }) }
    }
}
