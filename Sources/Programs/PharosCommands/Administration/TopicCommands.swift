import JSON
import PushCore
import PushModel
import SQLiteStore
import Timekeeping

extension AdministrationCommand {
    private static let shownMembers = 1000

    /// `pharos topic list`
    static let topicList = AdministrationCommand(
        "topic list", "Lists the topics of a project, or those that one app instance follows.",
        options: [.project, .value("token", "TOKEN", "A registration token or FID: list its topics only.")]
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        guard let token = arguments.value("token") else { return try await allTopics(of: project, administration) }
        do throws(TopicError) {
            let subscriptions = Audience(administration.store).subscriptions
            let registration = try subscriptions.registration(token: token, in: project.number)
            return report(
                on: try subscriptions.subscriptions(of: registration, limit: TopicLimits.topicsPerRegistration))
        } catch {
            throw .topics(error)
        }
    }

    /// `pharos topic show`
    static let topicShow = AdministrationCommand(
        "topic show", "Shows who follows a topic.", operands: ["TOPIC"], options: [.project],
        discussion: "Prints how many app instances follow it, and the tokens of the first \(shownMembers)."
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        let topic = try topic(arguments)
        let tokens = Audience(administration.store).tokens
        let (count, members) = try await administration.ask { (store) throws(StoreError) in
            let ids = try store.members(of: topic, in: project.number, after: nil, limit: shownMembers)
            var members: [String] = []
            for id in ids {
                if let member = try store.registration(id) { members.append(tokens.token(of: member)) }
            }
            return (try store.memberCount(of: topic, in: project.number), members)
        }
        return CommandReport(
            text: (["\(topic): \(count) members"] + members).joined(separator: "\n"),
            json: [
                "topic": .string(topic.text), "members": .integer(count),
                "tokens": .array(members.map { .string($0) }),
            ])
    }

    /// `pharos topic subscribe`
    static let topicSubscribe = change("subscribe", "Subscribes app instances to a topic.") {
        (subscriptions, tokens, topic, project) async throws(TopicError) in
        try await subscriptions.subscribe(tokens: tokens, to: topic, in: project)
    }

    /// `pharos topic unsubscribe`
    static let topicUnsubscribe = change("unsubscribe", "Takes app instances out of a topic.") {
        (subscriptions, tokens, topic, project) async throws(TopicError) in
        try await subscriptions.unsubscribe(tokens: tokens, from: topic, in: project)
    }

    /// `pharos topic leave-all`
    static let topicLeaveAll = AdministrationCommand(
        "topic leave-all", "Takes one app instance out of all its topics.", operands: ["TOKEN"], options: [.project],
        discussion: "TOKEN is a registration token or FID."
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        do throws(TopicError) {
            let subscriptions = Audience(administration.store).subscriptions
            let count = try await subscriptions.leaveAll(
                try subscriptions.registration(token: arguments.operands[0], in: project.number))
            return CommandReport(text: "It left \(count) topics.", json: ["left": .integer(count)])
        } catch {
            throw .topics(error)
        }
    }

    private static func change(
        _ verb: String, _ summary: String,
        _ work:
            @escaping @Sendable (TopicSubscriptions, [String], TopicName, ProjectNumber) async throws(TopicError)
            -> [Result<Bool, TopicError>]
    ) -> AdministrationCommand {
        AdministrationCommand(
            "topic \(verb)", summary, operands: ["TOPIC"],
            options: [
                .project, .value("token", "TOKEN", "A registration token or FID. May be repeated.", repeatable: true),
            ]
        ) { (administration, arguments) async throws(CommandFailure) in
            let project = try await administration.project(arguments)
            let topic = try topic(arguments)
            let tokens = arguments.allValues("token")
            guard (1...TopicLimits.registrationsPerCall).contains(tokens.count) else {
                throw .usage("--token is needed, at most 1,000 times.", nextStep: "See: pharos topic \(verb) --help")
            }
            do throws(TopicError) {
                let results = try await work(
                    Audience(administration.store).subscriptions, tokens, topic, project.number)
                return try report(on: results, tokens)
            } catch {
                throw .topics(error)
            }
        }
    }

    // MARK: Reports

    private static func topic(_ arguments: CommandArguments) throws(CommandFailure) -> TopicName {
        let text = arguments.operands[0]
        guard let topic = TopicName(text.hasPrefix("/topics/") ? String(text.dropFirst(8)) : text) else {
            throw .usage(
                "“\(text)” is no topic name.", nextStep: "Use 1 to 900 characters of a-z, A-Z, 0-9 and -_.~%.")
        }
        return topic
    }

    private static func allTopics(
        of project: Project, _ administration: Administration
    ) async throws(CommandFailure) -> CommandReport {
        let topics = try await administration.ask { (store) throws(StoreError) in
            try store.topics(in: project.number, after: nil, limit: 100_000)
        }
        let rows = topics.map { [$0.topic.text, String($0.members)] }
        return CommandReport(
            text: rows.isEmpty ? "Nobody follows a topic." : CommandReport.table([["TOPIC", "MEMBERS"]] + rows),
            json: [
                "topics": .array(
                    topics.map { ["topic": .string($0.topic.text), "members": .integer($0.members)] })
            ])
    }

    private static func report(on subscriptions: [TopicSubscription]) -> CommandReport {
        let rows = subscriptions.map { [$0.topic.text, $0.createdAt.rfc3339] }
        return CommandReport(
            text: rows.isEmpty ? "It follows no topic." : CommandReport.table([["TOPIC", "SINCE"]] + rows),
            json: [
                "topics": .array(
                    subscriptions.map {
                        ["topic": .string($0.topic.text), "created_at": .string($0.createdAt.rfc3339)]
                    })
            ])
    }

    /// One token that fails alone is the failure of the command; among several it is a line.
    private static func report(
        on results: [Result<Bool, TopicError>], _ tokens: [String]
    ) throws(TopicError) -> CommandReport {
        if results.count == 1, let result = results.first { _ = try result.get() }
        let changed = results.count { (try? $0.get()) == true }
        let failed = zip(tokens, results).compactMap { token, result -> (String, TopicError)? in
            if case .failure(let error) = result { (token, error) } else { nil }
        }
        let lines = failed.map { "\($0.0): \(CommandFailure.topics($0.1).message)" }
        return CommandReport(
            text: (["\(changed) changed, \(results.count - changed - failed.count) were so before."] + lines)
                .joined(separator: "\n"),
            json: [
                "changed": .integer(changed),
                "failed": .array(
                    failed.map { ["token": .string($0.0), "reason": .string(CommandFailure.topics($0.1).message)] }),
            ])
    }
}
