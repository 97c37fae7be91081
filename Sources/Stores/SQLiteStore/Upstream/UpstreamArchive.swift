import Bytes
import JSON
import PushModel
import Timekeeping

/// An upstream message as the database keeps it: compact JSON.
enum UpstreamArchive {
    static func encode(_ draft: UpstreamDraft) -> [UInt8] {
        var object: JSONObject = [
            "from": .string(draft.from), "category": .string(draft.category), "id": .string(draft.messageID),
            "ttl": .integer(draft.timeToLiveSeconds),
            "data": .array(draft.data.flatMap { [.string($0.key), .string($0.value)] }),
        ]
        if draft.kind == .receipt { object["receipt"] = true }
        if let raw = draft.rawData { object["raw"] = .string(Base64URL.encode(raw)) }
        return JSONValue.object(object).encoded
    }

    /// `nil` when the bytes are not an archive.
    static func decode(_ bytes: [UInt8], project: ProjectNumber, expiresAt: Timestamp) -> UpstreamDraft? {
        guard let object = (try? JSONValue(parsing: bytes))?.object, let from = object["from"]?.string,
            let category = object["category"]?.string, let id = object["id"]?.string,
            let seconds = object["ttl"]?.int64, let texts = object["data"]?.array?.compactMap(\.string),
            texts.count.isMultiple(of: 2)
        else { return nil }
        let data = stride(from: 0, to: texts.count, by: 2).map {
            Message.DataEntry(key: texts[$0], value: texts[$0 + 1])
        }
        return UpstreamDraft(
            project: project, kind: object["receipt"]?.bool == true ? .receipt : .message, from: from,
            category: category, messageID: id, data: data,
            rawData: object["raw"]?.string.flatMap { Base64URL.decode($0) }, timeToLiveSeconds: seconds,
            expiresAt: expiresAt)
    }
}
