import PushCore
import PushModel

/// Deletes a project: first who may speak for it, in one step, then what it has, in pieces small enough that other
/// projects do not wait. The note in `removed_projects` lets the next start of a server finish what a crash stopped.
struct ProjectRemoval {
    /// Row numbers looked at in one transaction.
    private static let rowsPerStep: Int64 = 5000

    let number: ProjectNumber

    /// Finishes what crashes stopped, before the writer's thread has begun.
    static func finishAll(in context: WriteContext) throws(StoreError) {
        let numbers = try context.connection.all("SELECT number FROM removed_projects") { $0.integer(0) }
        for number in numbers {
            let removal = ProjectRemoval(number: ProjectNumber(value: UInt64(bitPattern: number)))
            while try removal.deleteMessages(in: context) {}
            var place: Int64? = 0
            while let current = place { place = try removal.advance(from: current, in: context) }
            place = 0
            while let current = place { place = try removal.deleteEvents(from: current, in: context) }
            try removal.end(in: context)
        }
    }

    func begin(in context: WriteContext) throws(StoreError) {
        try context.requireProject(number)
        try context.connection.change("DELETE FROM projects WHERE number = ?", number.value)
        try context.deleteWebPushKeys(of: number)
        try context.connection.change("INSERT OR IGNORE INTO removed_projects (number) VALUES (?)", number.value)
        try context.directoryChanged()
    }

    /// Deletes the project's rows within `rowsPerStep` numbers after `place`.
    /// - Returns: The place to go on from; `nil` when nothing is left.
    func advance(from place: Int64, in context: WriteContext) throws(StoreError) -> Int64? {
        let next = place &+ Self.rowsPerStep
        let connection = context.connection
        try connection.change(
            """
            DELETE FROM web_subscriptions WHERE registration IN
                (SELECT id FROM registrations WHERE id > ? AND id <= ? AND project = ?)
            """, place, next, number.value)
        try connection.change(
            """
            DELETE FROM inbox WHERE dropped IS NOT NULL AND registration IN
                (SELECT id FROM registrations WHERE id > ? AND id <= ? AND project = ?)
            """, place, next, number.value)
        try connection.change(
            "DELETE FROM registrations WHERE id > ? AND id <= ? AND project = ?", place, next, number.value)
        try connection.change(
            """
            DELETE FROM instance_properties WHERE instance IN
                (SELECT serial FROM instances WHERE serial > ? AND serial <= ? AND project = ?)
            """, place, next, number.value)
        try connection.change(
            "DELETE FROM instances WHERE serial > ? AND serial <= ? AND project = ?", place, next, number.value)
        try context.dropTopicsOfEnded()
        let last = try connection.integer(
            "SELECT max(ifnull((SELECT max(id) FROM registrations), 0), ifnull((SELECT max(serial) FROM instances), 0))"
        )
        return next < last ? next : nil
    }

    /// Deletes up to `rowsPerStep` of the project's deliveries and messages.
    /// - Returns: Whether there may be more.
    func deleteMessages(in context: WriteContext) throws(StoreError) -> Bool {
        let connection = context.connection
        try connection.change("DELETE FROM fan_outs WHERE project = ?", number.value)
        let deliveries = try connection.change(
            """
            DELETE FROM deliveries WHERE id IN (SELECT d.id FROM deliveries d JOIN messages m ON m.id = d.message
                WHERE m.project = ? LIMIT ?)
            """, number.value, Self.rowsPerStep)
        let waiting = try connection.change(
            """
            DELETE FROM inbox WHERE delivery IN (SELECT d.delivery FROM inbox d JOIN messages m ON m.id = d.message
                WHERE m.project = ? LIMIT ?)
            """, number.value, Self.rowsPerStep)
        let upstream = try connection.change(
            """
            DELETE FROM upstream WHERE id IN (SELECT id FROM upstream WHERE project = ? AND content IS NOT NULL LIMIT ?)
            """, number.value, Self.rowsPerStep)
        let reports = try connection.change(
            "DELETE FROM reported_events WHERE id IN (SELECT id FROM reported_events WHERE project = ? LIMIT ?)",
            number.value, Self.rowsPerStep)
        if deliveries > 0 || waiting > 0 || upstream > 0 || reports > 0 { return true }
        return try deleteContents(in: context)
    }

    /// Deletes up to `rowsPerStep` of the project's messages, with what the inspector knows of them.
    private func deleteContents(in context: WriteContext) throws(StoreError) -> Bool {
        let ids = try context.connection.all(
            "DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE project = ? LIMIT ?) RETURNING id",
            number.value, Self.rowsPerStep
        ) { $0.integer(0) }
        for id in ids {
            try context.connection.change("DELETE FROM message_ranges WHERE message = ?", id)
            try context.connection.change("DELETE FROM message_counts WHERE message = ?", id)
        }
        return !ids.isEmpty
    }

    /// Deletes the project's events among the next `rowsPerStep` after `place`.
    /// - Returns: The place to go on from; `nil` when nothing is left.
    func deleteEvents(from place: Int64, in context: WriteContext) throws(StoreError) -> Int64? {
        let next = try context.connection.integer(
            "SELECT ifnull(max(id), 0) FROM (SELECT id FROM delivery_events WHERE id > ? ORDER BY id LIMIT ?)", place,
            Self.rowsPerStep)
        guard next > place else { return nil }
        try context.connection.change(
            "DELETE FROM delivery_events WHERE id > ? AND id <= ? AND project = ?", place, next, number.value)
        return next
    }

    func end(in context: WriteContext) throws(StoreError) {
        let connection = context.connection
        try connection.change("DELETE FROM delivery_counts WHERE project = ?", number.value)
        for statement: StaticString in [
            "DELETE FROM campaigns WHERE project = ?", "DELETE FROM campaign_runs WHERE project = ?",
            "DELETE FROM segment_values WHERE project = ?",
        ] {
            try connection.change(statement, number.value)
        }
        try connection.change("DELETE FROM report_counts WHERE project = ?", number.value)
        try connection.change("DELETE FROM message_topics WHERE project = ?", number.value)
        try connection.change("DELETE FROM message_bytes WHERE project = ?", number.value)
        try connection.change("DELETE FROM delivery_attempts WHERE project = ?", number.value)
        try connection.change("DELETE FROM topic_rules WHERE project = ?", number.value)
        try connection.change("DELETE FROM upstream WHERE project = ?", number.value)
        try connection.change(
            """
            DELETE FROM device_group_members WHERE device_group IN (SELECT id FROM device_groups WHERE project = ?)
            """, number.value)
        try connection.change("DELETE FROM device_groups WHERE project = ?", number.value)
        try connection.change("DELETE FROM removed_projects WHERE number = ?", number.value)
    }
}
