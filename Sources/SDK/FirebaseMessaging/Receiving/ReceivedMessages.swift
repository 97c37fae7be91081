import FirebasePlatform
import JSON
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which messages came before, across launches of the app.
///
/// A row lives as long as its message may. Rows are kept in one small file, rewritten on change; a file that cannot be
/// read counts as empty, for losing a row costs one repeated message and nothing else.
final class ReceivedMessages: Sendable {
    private struct Row {
        var expiresAtSeconds: Int64
        var cameByAPNs = false
        var cameByDirectChannel = false
    }

    static let path = "Google/FirebaseMessaging/received-messages.json"
    static let defaultLifetimeSeconds: Int64 = 4 * 7 * 86400
    static let maximumRows = 1000

    private let platform: Platform
    /// `nil` until the first message: then the file is read.
    private let rows = Mutex<[String: Row]?>(nil)

    init(platform: Platform) {
        self.platform = platform
    }

    /// Notes a message that came by APNs.
    ///
    /// - Returns: Whether it came before, on either way.
    func noteFromAPNs(_ id: String, timeToLiveSeconds: Int64?) -> Bool {
        note(id, timeToLiveSeconds: timeToLiveSeconds, way: \.cameByAPNs)
    }

    /// Notes a message that came over the direct channel.
    ///
    /// - Returns: Whether it came before, on either way.
    func noteFromDirectChannel(_ id: String, timeToLiveSeconds: Int64?) -> Bool {
        note(id, timeToLiveSeconds: timeToLiveSeconds, way: \.cameByDirectChannel)
    }

    private func note(_ id: String, timeToLiveSeconds: Int64?, way: WritableKeyPath<Row, Bool>) -> Bool {
        rows.withLock { rows in
            var known = rows ?? load()
            defer { rows = known }
            if let row = known[id] {
                guard !row[keyPath: way] else { return true }
                known[id]?[keyPath: way] = true
                store(known)
                return true
            }
            let lifetime = min(timeToLiveSeconds ?? Self.defaultLifetimeSeconds, Self.defaultLifetimeSeconds)
            var row = Row(expiresAtSeconds: now + lifetime)
            row[keyPath: way] = true
            known[id] = row
            Self.limit(&known)
            store(known)
            return false
        }
    }

    private var now: Int64 { Int64(platform.clock.now().timeIntervalSince1970) }

    private static func limit(_ rows: inout [String: Row]) {
        guard rows.count > maximumRows else { return }
        let kept = rows.sorted { $0.value.expiresAtSeconds > $1.value.expiresAtSeconds }.prefix(maximumRows * 3 / 4)
        rows = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    /// The rows that are of use: neither expired nor received on both ways.
    private func load() -> [String: Row] {
        guard let bytes = try? platform.files.read(Self.path),
            let list = (try? JSONValue(parsing: bytes))?["messages"]?.array
        else { return [:] }
        var rows: [String: Row] = [:]
        for entry in list {
            guard let id = entry["id"]?.string, let expires = entry["expires"]?.int64 else { continue }
            let row = Row(
                expiresAtSeconds: expires, cameByAPNs: entry["apns"]?.bool ?? true,
                cameByDirectChannel: entry["direct"]?.bool ?? false)
            guard expires > now, !(row.cameByAPNs && row.cameByDirectChannel) else { continue }
            rows[id] = row
        }
        return rows
    }

    private func store(_ rows: [String: Row]) {
        var writer = JSONWriter(reservingBytes: 64 + 96 * rows.count)
        writer.beginObject()
        writer.key("messages")
        writer.beginArray()
        for (id, row) in rows {
            writer.beginObject()
            writer.member("id", id)
            writer.member("expires", row.expiresAtSeconds)
            writer.member("apns", row.cameByAPNs)
            writer.member("direct", row.cameByDirectChannel)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        try? platform.files.write(writer.bytes, to: Self.path)
    }
}
