public import PushCore
public import PushModel

extension SQLiteStore: TopicMemberships {
    public func members(
        of topic: TopicName, in project: ProjectNumber, after id: RegistrationID?, limit: Int
    ) throws(StoreError) -> [RegistrationID] {
        guard limit > 0 else { return [] }
        let after = id?.value ?? 0
        return try readers.read { (connection) throws(StoreError) in
            guard let topic = try TopicReader.id(of: topic, in: project, on: connection) else { return [] }
            // The chunk that holds the next member, or the one before it.
            let start = try connection.integer(
                "SELECT first FROM topic_chunks WHERE topic = ? AND first <= ? ORDER BY first DESC LIMIT 1", topic,
                after)
            return try Self.members(from: start, of: topic, after: after, limit: limit, on: connection)
        }
    }

    private static func members(
        from start: Int64, of topic: Int64, after: Int64, limit: Int, on connection: Connection
    ) throws(StoreError) -> [RegistrationID] {
        var members: [RegistrationID] = []
        members.reserveCapacity(limit)
        try connection.withStatement(
            "SELECT first, members FROM topic_chunks WHERE topic = ? AND first >= ? ORDER BY first", topic, start
        ) { (statement) throws(StoreError) in
            while members.count < limit, try connection.step(statement) {
                let row = Row(of: statement)
                var last = row.integer(0)
                try row.withBlob(1) { (bytes) throws(StoreError) in
                    var place = 0
                    while place < bytes.count, members.count < limit {
                        guard let distance = PackedIntegers.next(in: bytes, at: &place) else {
                            throw .damaged("members of a topic")
                        }
                        last = last &+ Int64(bitPattern: distance)
                        if last > after { members.append(RegistrationID(value: last)) }
                    }
                }
            }
        }
        return members
    }

    public func memberCount(of topic: TopicName, in project: ProjectNumber) throws(StoreError) -> Int {
        try readers.read { (connection) throws(StoreError) in
            Int(
                try connection.integer(
                    "SELECT members FROM topics WHERE project = ? AND name = ?", project.value, topic.text))
        }
    }

    public func liveRegistrations(
        of project: ProjectNumber, after id: RegistrationID?, limit: Int
    ) throws(StoreError) -> [RegistrationID] {
        try readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT id FROM registrations WHERE id > ? AND project = ? AND ending IS NULL ORDER BY id LIMIT ?
                """, id?.value ?? 0, project.value, limit
            ) { RegistrationID(value: $0.integer(0)) }
        }
    }
}
