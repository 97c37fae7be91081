import PushCore
import PushModel

/// Both sides of a membership: the topic's chunks and the registration's list.
extension WriteContext {
    // MARK: Topics

    func topicID(_ topic: TopicName, in project: ProjectNumber) throws(StoreError) -> Int64? {
        try connection.first("SELECT id FROM topics WHERE project = ? AND name = ?", project.value, topic.text) {
            $0.integer(0)
        }
    }

    func addTopic(_ topic: TopicName, in project: ProjectNumber) throws(StoreError) -> Int64 {
        try connection.first(
            "INSERT INTO topics (project, name, members) VALUES (?, ?, 0) RETURNING id", project.value, topic.text
        ) { $0.integer(0) } ?? 0
    }

    /// Counts members that came or went. A topic is gone with its last member.
    func count(_ change: Int, in topic: Int64) throws(StoreError) {
        guard change != 0 else { return }
        tally.countMembers(change, of: topic)
        let left = try connection.first(
            "UPDATE topics SET members = members + ? WHERE id = ? RETURNING members", change, topic
        ) { $0.integer(0) }
        guard let left, left <= 0 else { return }
        try connection.change("DELETE FROM topic_chunks WHERE topic = ?", topic)
        try connection.change("DELETE FROM topic_days WHERE topic = ?", topic)
        try connection.change("DELETE FROM topics WHERE id = ?", topic)
    }

    // MARK: Members of a topic

    /// - Returns: `false` when the registration is a member already.
    func addMember(_ registration: Int64, to topic: Int64) throws(StoreError) -> Bool {
        guard var chunk = try chunk(of: registration, in: topic) else {
            try put(MemberChunk(first: 0, members: [registration]), of: topic)
            return true
        }
        guard chunk.insert(registration) else { return false }
        let bytes = chunk.bytes
        if bytes.count <= MemberChunk.maximumBytes {
            try put(chunk.first, bytes, of: topic)
        } else {
            let (left, right) = chunk.split(afterInserting: registration)
            try put(left, of: topic)
            try put(right, of: topic)
        }
        return true
    }

    /// - Returns: `false` when the registration is no member.
    func removeMember(_ registration: Int64, from topic: Int64) throws(StoreError) -> Bool {
        guard var chunk = try chunk(of: registration, in: topic), chunk.remove(registration) else { return false }
        if chunk.members.isEmpty {
            try connection.change("DELETE FROM topic_chunks WHERE topic = ? AND first = ?", topic, chunk.first)
        } else {
            try put(chunk, of: topic)
        }
        return true
    }

    /// The chunk in which the registration is or would be: the last that does not start behind it.
    private func chunk(of registration: Int64, in topic: Int64) throws(StoreError) -> MemberChunk? {
        try connection.first(
            "SELECT first, members FROM topic_chunks WHERE topic = ? AND first <= ? ORDER BY first DESC LIMIT 1", topic,
            registration
        ) { (row) throws(StoreError) in try row.memberChunk(first: 0, members: 1) }
    }

    private func put(_ chunk: MemberChunk, of topic: Int64) throws(StoreError) {
        try put(chunk.first, chunk.bytes, of: topic)
    }

    private func put(_ first: Int64, _ bytes: [UInt8], of topic: Int64) throws(StoreError) {
        try connection.change(
            "INSERT OR REPLACE INTO topic_chunks (topic, first, members) VALUES (?, ?, ?)", topic, first, bytes)
    }

    // MARK: Topics of a registration

    func topicList(of registration: Int64) throws(StoreError) -> TopicList {
        let list = try connection.first("SELECT topics FROM topic_lists WHERE registration = ?", registration) {
            (row) throws(StoreError) in try TopicList(row.blob(0))
        }
        return list ?? TopicList()
    }

    func put(_ list: TopicList, of registration: Int64) throws(StoreError) {
        if list.entries.isEmpty {
            try connection.change("DELETE FROM topic_lists WHERE registration = ?", registration)
        } else {
            try connection.change(
                "INSERT OR REPLACE INTO topic_lists (registration, topics) VALUES (?, ?)", registration, list.bytes)
        }
    }
}

extension Row {
    func memberChunk(first: Int32, members: Int32) throws(StoreError) -> MemberChunk {
        let start = integer(first)
        return try withBlob(members) { (bytes) throws(StoreError) in try MemberChunk(first: start, bytes: bytes) }
    }
}
