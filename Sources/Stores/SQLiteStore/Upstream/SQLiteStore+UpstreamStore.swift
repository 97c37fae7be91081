public import PushCore
public import PushModel
public import Timekeeping

extension SQLiteStore: UpstreamStore {
    public func acceptUpstream(
        _ draft: UpstreamDraft, from origin: UpstreamOrigin?
    ) async throws(StoreError) -> UpstreamMessage? {
        try await writer.write { (context) throws(StoreError) in try context.acceptUpstream(draft, from: origin) }
    }

    public func openUpstream(
        of project: ProjectNumber, after id: UpstreamID, limit: Int
    ) throws(StoreError) -> [UpstreamMessage] {
        try readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT id, content, expires_at FROM upstream WHERE project = ? AND id > ? AND content IS NOT NULL
                ORDER BY id LIMIT ?
                """, project.value, id.value, limit
            ) { (row) throws(StoreError) in
                let draft = UpstreamArchive.decode(
                    row.blob(1), project: project, expiresAt: Timestamp(milliseconds: row.integer(2)))
                guard let draft else { throw .damaged("an upstream message") }
                return UpstreamMessage(id: UpstreamID(value: row.integer(0)), content: draft)
            }
        }
    }

    public func closeUpstream(_ ids: [UpstreamID]) async throws(StoreError) {
        guard !ids.isEmpty else { return }
        try await writer.write { (context) throws(StoreError) in try context.closeUpstream(ids) }
    }

    public func upstreamQueueIDs(of device: UInt64, limit: Int) throws(StoreError) -> [String] {
        try readers.read { (connection) throws(StoreError) in
            try connection.all(
                """
                SELECT queue_id FROM (SELECT id, queue_id FROM upstream WHERE device = ? AND queue_id IS NOT NULL
                    ORDER BY id DESC LIMIT ?) ORDER BY id
                """, device, limit
            ) { $0.text(0) }
        }
    }

    public func pruneUpstream(expiredBefore time: Timestamp) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in try context.pruneUpstream(expiredBefore: time) }
    }
}

extension SQLiteStore: UpstreamOrigins {
    public func knowsUpstream(from origin: UpstreamOrigin) throws(StoreError) -> Bool {
        try readers.read { (connection) throws(StoreError) in try origin.isKnown(on: connection) }
    }

    public func rememberUpstream(
        from origin: UpstreamOrigin, to project: ProjectNumber, expiresAt: Timestamp
    ) async throws(StoreError) {
        try await writer.write { (context) throws(StoreError) in
            try context.rememberUpstream(from: origin, to: project, expiresAt: expiresAt)
        }
    }
}
