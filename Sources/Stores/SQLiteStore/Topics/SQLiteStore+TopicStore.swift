public import PushCore
public import PushModel
public import Timekeeping

extension SQLiteStore: TopicStore {
    public func subscribe(
        _ registrations: [RegistrationID], to topic: TopicName, in project: ProjectNumber, at time: Timestamp
    ) async throws(StoreError) -> [TopicChange] {
        try await writer.write { (context) throws(StoreError) in
            try context.subscribe(registrations, to: topic, in: project, at: time)
        }
    }

    public func unsubscribe(
        _ registrations: [RegistrationID], from topic: TopicName, in project: ProjectNumber
    ) async throws(StoreError) -> [TopicChange] {
        try await writer.write { (context) throws(StoreError) in
            try context.unsubscribe(registrations, from: topic, in: project)
        }
    }

    public func leaveAllTopics(_ registration: RegistrationID) async throws(StoreError) -> Int {
        try await writer.write { (context) throws(StoreError) in try context.leaveAllTopics(registration.value) }
    }

    public func subscription(
        of registration: RegistrationID, to topic: TopicName
    ) throws(StoreError) -> TopicSubscription? {
        try subscriptions(of: registration).first { $0.topic == topic }
    }

    public func subscriptions(
        of registration: RegistrationID, after topic: TopicName?, limit: Int
    ) throws(StoreError) -> [TopicSubscription] {
        let later = try subscriptions(of: registration).drop { subscription in
            topic.map { subscription.topic.text <= $0.text } ?? false
        }
        return Array(later.prefix(max(0, limit)))
    }

    private func subscriptions(of registration: RegistrationID) throws(StoreError) -> [TopicSubscription] {
        try readers.read { (connection) throws(StoreError) in
            try connection.readingOneState { () throws(StoreError) in
                try TopicReader.subscriptions(of: registration, on: connection)
            }
        }
    }

    public func topics(
        in project: ProjectNumber, after topic: TopicName?, limit: Int
    ) throws(StoreError) -> [TopicSummary] {
        try readers.read { (connection) throws(StoreError) in
            try connection.all(
                "SELECT name, members FROM topics WHERE project = ? AND name > ? ORDER BY name LIMIT ?", project.value,
                topic?.text ?? "", max(0, limit)
            ) { (row) throws(StoreError) in
                guard let name = TopicName(row.text(0)) else { throw .damaged("a topic's name") }
                return TopicSummary(topic: name, members: Int(row.integer(1)))
            }
        }
    }

    public func topicRules(of project: ProjectNumber) throws(StoreError) -> TopicRules {
        try readers.read { (connection) throws(StoreError) in try TopicReader.rules(of: project, on: connection) }
    }

    public func setTopicRules(_ rules: TopicRules, of project: ProjectNumber) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in
            try context.requireProject(project)
            try context.connection.change("DELETE FROM topic_rules WHERE project = ?", project.value)
            for (denies, patterns) in [(0, rules.allowed), (1, rules.denied)] {
                for (place, pattern) in patterns.enumerated() {
                    try context.connection.change(
                        "INSERT INTO topic_rules (project, denies, place, pattern) VALUES (?, ?, ?, ?)", project.value,
                        denies, place, pattern.text)
                }
            }
        }
    }
}
