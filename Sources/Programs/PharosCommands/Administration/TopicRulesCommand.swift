import JSON
import PushCore
import PushModel
import SQLiteStore

extension AdministrationCommand {
    private static let maximumPatterns = 100

    /// `pharos topic rules`
    static let topicRules = AdministrationCommand(
        "topic rules", "Shows which topics apps may join by themselves, or rules it anew.",
        options: [
            .project,
            .value(
                "allow", "PATTERN", "Apps may join these topics and no others. May be repeated.", repeatable: true),
            .value(
                "deny", "PATTERN", "Apps may not join these topics, allowed or not. May be repeated.",
                repeatable: true),
            .flag("clear", "Rule nothing: apps may join every topic."),
        ],
        discussion: """
            Without --allow, --deny and --clear it only shows the rules. With them, the rules given replace all former
            ones, and a running server goes by them at once. In a PATTERN * stands for any characters and {fid} for the
            FID of the app instance that asks; put it in quotes. App servers and pharos topic subscribe are not bound,
            and whoever follows a topic already goes on following it.

            Examples:
              pharos topic rules --allow 'news-*' --allow 'own-{fid}'
              pharos topic rules --deny 'staff-*'
            """
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        if let rules = try newRules(arguments) {
            try await administration.ask { (store) throws(StoreError) in
                try await store.setTopicRules(rules, of: project.number)
            }
        }
        let rules = try await administration.ask { (store) throws(StoreError) in
            try store.topicRules(of: project.number)
        }
        return report(on: rules, of: project)
    }

    /// The rules that the words set; `nil` when they set none.
    private static func newRules(_ arguments: CommandArguments) throws(CommandFailure) -> TopicRules? {
        let rules = TopicRules(allowed: try patterns("allow", arguments), denied: try patterns("deny", arguments))
        let isEmpty = rules == TopicRules()
        guard arguments.has("clear") else { return isEmpty ? nil : rules }
        guard isEmpty else {
            throw .usage(
                "--clear removes all rules, so it goes with neither --allow nor --deny.",
                nextStep: "Leave --clear out: new rules replace the former ones.")
        }
        return rules
    }

    private static func patterns(
        _ option: String, _ arguments: CommandArguments
    ) throws(CommandFailure) -> [TopicPattern] {
        var patterns: [TopicPattern] = []
        for text in arguments.allValues(option) {
            guard let pattern = TopicPattern(text) else {
                throw .usage(
                    "“\(text)” matches no topic name.",
                    nextStep: "Use 1 to 900 characters of a-z, A-Z, 0-9 and -_.~%, with * and {fid} among them.")
            }
            patterns.append(pattern)
        }
        guard patterns.count <= maximumPatterns else {
            throw .usage(
                "--\(option) is given more than \(maximumPatterns) times.",
                nextStep: "Write one pattern with * for several topics.")
        }
        return patterns
    }

    private static func report(on rules: TopicRules, of project: Project) -> CommandReport {
        let allowed = rules.allowed.isEmpty ? "every topic" : list(rules.allowed)
        let denied = rules.denied.isEmpty ? "" : " but not \(list(rules.denied))"
        return CommandReport(
            text: "Apps of \(project.id) may join \(allowed)\(denied).",
            json: [
                "project_id": .string(project.id.text),
                "allowed": .array(rules.allowed.map { .string($0.text) }),
                "denied": .array(rules.denied.map { .string($0.text) }),
            ])
    }

    private static func list(_ patterns: [TopicPattern]) -> String {
        patterns.map(\.text).joined(separator: ", ")
    }
}
