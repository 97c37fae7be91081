/// The option that limits how many topic subscriptions a project may change.
enum TopicChangeOption {
    private static let name = "topic-changes-per-second"

    static func option(default limit: Int) -> CommandOption {
        .value(
            name, "N", "Topic subscriptions that one project may change; 0 for no limit.", default: String(limit))
    }

    /// `nil` for no limit.
    static func limit(_ arguments: CommandArguments) throws(CommandFailure) -> Int? {
        guard let limit = try arguments.integer(name, in: 0...1_000_000_000), limit > 0 else { return nil }
        return limit
    }
}
