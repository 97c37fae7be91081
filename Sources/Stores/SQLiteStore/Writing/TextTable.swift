import PushCore

/// Numbers for texts that many rows share. Used by the writer's thread.
final class TextTable {
    private static let maximumRemembered = 20_000

    private var ids: [String: Int64] = [:]

    /// The number of a text, which is added when it is new. The empty text is 0.
    func id(of text: String, on connection: Connection) throws(StoreError) -> Int64 {
        if text.isEmpty { return 0 }
        if let id = ids[text] { return id }
        try connection.change("INSERT OR IGNORE INTO texts (text) VALUES (?)", text)
        let id = try connection.integer("SELECT id FROM texts WHERE text = ?", text)
        if ids.count >= Self.maximumRemembered { ids.removeAll() }
        ids[text] = id
        return id
    }

    /// The number of a text that is known already.
    func knownID(of text: String, on connection: Connection) throws(StoreError) -> Int64? {
        if text.isEmpty { return 0 }
        if let id = ids[text] { return id }
        return try connection.first("SELECT id FROM texts WHERE text = ?", text) { $0.integer(0) }
    }

    /// Forgets numbers that may have been given out by a transaction that was undone.
    func forget() {
        ids.removeAll()
    }
}
