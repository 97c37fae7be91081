import Glibc

/// The `pharos` command-line program.
public enum PharosProgram {
    /// Runs the command that the arguments name. Exits with 0 when it worked, 1 when it failed, 2 when the words were
    /// wrong.
    public static func main() async {
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(CommandFailure) {
            try await run(words)
            end(0)
        } catch {
            StandardStreams.printError("pharos: \(error.message)\n  \(error.nextStep)")
            end(error.exitCode)
        }
    }

    /// At once: other threads may still run, and `exit` would tear down what they use.
    private static func end(_ code: Int32) -> Never {
        _exit(code)
    }

    private static func run(_ words: [String]) async throws(CommandFailure) {
        let table = CommandTable(commands: allCommands)
        switch try table.choose(words, environment: environmentVariable) {
        case .showHelp(let text):
            StandardStreams.printLine(text)
        case .run(let command, let arguments):
            try await command.run(arguments)
        }
    }

    private static func environmentVariable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Every command of the program, in the order of the overview.
    static var allCommands: [Command] {
        [.dev, .serve] + administration.map(\.command)
            + Command.campaigns
            + [
                .send, .deviceRun, .deviceTap, .deviceDismiss, .deviceSend, .apnsSimulator, .tokenInspect, .doctor, .ca,
                .restore,
            ]
    }

    /// The commands that look after projects, apps and keys.
    private static var administration: [AdministrationCommand] {
        [
            .projectCreate, .projectList, .projectShow, .projectDelete, .appCreate, .appList, .appConfig,
            .serviceAccountCreate, .serviceAccountDisable, .serviceAccountEnable, .serverKeyCreate, .apnsKeyImport,
            .apnsKeyRemove, .webPushKeyShow, .webPushKeyImport,
            .topicList, .topicShow, .topicSubscribe, .topicUnsubscribe, .topicLeaveAll, .topicRules,
            .groupCreate,
            .groupAdd, .groupRemove, .groupShow, .userAdd, .userList, .userPassword, .userRole, .userRemove,
            .reportCounts, .messageShow, .messageFind, .backup,
        ]
    }
}
