import PushCore
import PushModel
import Timekeeping

/// Reads topics on one connection.
enum TopicReader {
    static func id(
        of topic: TopicName, in project: ProjectNumber, on connection: Connection
    ) throws(StoreError) -> Int64? {
        try connection.first("SELECT id FROM topics WHERE project = ? AND name = ?", project.value, topic.text) {
            $0.integer(0)
        }
    }

    /// The topics of a registration, by name.
    static func subscriptions(
        of registration: RegistrationID, on connection: Connection
    ) throws(StoreError) -> [TopicSubscription] {
        let list = try connection.first(
            "SELECT topics FROM topic_lists WHERE registration = ?", registration.value
        ) { (row) throws(StoreError) in try TopicList(row.blob(0)) }
        var subscriptions: [TopicSubscription] = []
        for entry in list?.entries ?? [] {
            let name = try connection.first("SELECT name FROM topics WHERE id = ?", entry.topic) { $0.text(0) }
            guard let topic = name.flatMap({ TopicName($0) }) else { throw .damaged("a topic without a name") }
            subscriptions.append(TopicSubscription(topic: topic, createdAt: Timestamp(seconds: entry.time)))
        }
        return subscriptions.sorted { $0.topic.text < $1.topic.text }
    }

    static func rules(of project: ProjectNumber, on connection: Connection) throws(StoreError) -> TopicRules {
        var rules = TopicRules()
        let rows = try connection.all(
            "SELECT denies, pattern FROM topic_rules WHERE project = ? ORDER BY denies, place", project.value
        ) { (denies: $0.integer(0) != 0, pattern: $0.text(1)) }
        for row in rows {
            guard let pattern = TopicPattern(row.pattern) else { throw .damaged("a topic rule") }
            if row.denies { rules.denied.append(pattern) } else { rules.allowed.append(pattern) }
        }
        return rules
    }
}
