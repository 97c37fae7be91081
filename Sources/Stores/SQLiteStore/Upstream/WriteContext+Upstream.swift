import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    /// How long the origin of a closed message is remembered after its time to live.
    private static let memoryMilliseconds: Int64 = 86_400_000

    /// - Returns: `nil` when a message of that origin is known.
    func acceptUpstream(
        _ draft: UpstreamDraft, from origin: UpstreamOrigin?
    ) throws(StoreError) -> UpstreamMessage? {
        if let origin, try origin.isKnown(on: connection) { return nil }
        return try addUpstream(draft, from: origin)
    }

    func addUpstream(_ draft: UpstreamDraft, from origin: UpstreamOrigin?) throws(StoreError) -> UpstreamMessage {
        let previous = try connection.first(
            "SELECT id FROM upstream WHERE project = ? AND content IS NOT NULL ORDER BY id DESC LIMIT 1",
            draft.project.value
        ) { UpstreamID(value: $0.integer(0)) }
        let id = try connection.first(
            """
            INSERT INTO upstream (project, device, category, queue_id, content, expires_at) VALUES (?, ?, ?, ?, ?, ?)
            RETURNING id
            """, draft.project.value, origin?.device, origin?.category, origin?.queueID,
            UpstreamArchive.encode(draft), draft.expiresAt.milliseconds
        ) { $0.integer(0) }
        return UpstreamMessage(id: UpstreamID(value: id ?? 0), content: draft, previous: previous)
    }

    /// A row without content: only its origin counts.
    func rememberUpstream(
        from origin: UpstreamOrigin, to project: ProjectNumber, expiresAt: Timestamp
    ) throws(StoreError) {
        try connection.change(
            """
            INSERT OR IGNORE INTO upstream (project, device, category, queue_id, expires_at) VALUES (?, ?, ?, ?, ?)
            """, project.value, origin.device, origin.category, origin.queueID, expiresAt.milliseconds)
    }

    /// What has an origin leaves its name behind; everything else goes.
    func closeUpstream(_ ids: [UpstreamID]) throws(StoreError) {
        for id in ids {
            try connection.change("DELETE FROM upstream WHERE id = ? AND queue_id IS NULL", id.value)
            try connection.change("UPDATE upstream SET content = NULL WHERE id = ?", id.value)
        }
    }

    func pruneUpstream(expiredBefore time: Timestamp) throws(StoreError) {
        try connection.change(
            "DELETE FROM upstream WHERE expires_at < ?",
            time.adding(milliseconds: -Self.memoryMilliseconds).milliseconds)
    }
}

extension UpstreamOrigin {
    /// Whether a message of this origin is in the store, or was lately.
    func isKnown(on connection: Connection) throws(StoreError) -> Bool {
        try connection.integer(
            "SELECT count(*) FROM upstream WHERE device = ? AND category = ? AND queue_id = ?", device, category,
            queueID) > 0
    }
}
