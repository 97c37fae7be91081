import HTTPSemantics
import JSON
import Timekeeping

/// What a request to the channel endpoints wants. Source: Apple, "Sending channel management requests to APNs" and
/// "Sending broadcast push notification requests to APNs".
struct ChannelRequest: Equatable {
    enum Operation: Equatable {
        case create, read, delete, list, broadcast
    }

    static let maximumBroadcastBytes = 5120

    let operation: Operation
    let bundleID: String

    /// Whether a path belongs to these endpoints.
    static func isChannelPath(_ path: String) -> Bool {
        path.hasPrefix("/1/apps/") || path.hasPrefix("/4/broadcasts/apps/")
    }

    init(method: String, path: String) throws(Rejection) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let place = parts.first == "1" ? parts.last ?? "" : "broadcast"
        guard parts.count == 4, !parts[parts.first == "1" ? 2 : 3].isEmpty else { throw Rejection(.badPath) }
        bundleID = parts.first == "1" ? parts[2] : parts[3]
        switch (place, method) {
        case ("channels", "POST"): operation = .create
        case ("channels", "GET"): operation = .read
        case ("channels", "DELETE"): operation = .delete
        case ("all-channels", "GET"): operation = .list
        case ("broadcast", "POST"): operation = .broadcast
        case ("channels", _), ("all-channels", _), ("broadcast", _): throw Rejection(.methodNotAllowed)
        default: throw Rejection(.badPath)
        }
    }

    /// Reads `{"message-storage-policy":0|1,"push-type":"LiveActivity"}`.
    ///
    /// - Returns: Whether the latest push is stored.
    static func storagePolicy(_ body: [UInt8]) throws(Rejection) -> Bool {
        guard let object = (try? JSONValue(parsing: body))?.object else { throw Rejection(.badRequestPayload) }
        guard let type = object["push-type"]?.string else { throw Rejection(.missingPushType) }
        guard type == "LiveActivity" else { throw Rejection(.invalidPushType) }
        guard let policy = object["message-storage-policy"]?.int64, [0, 1].contains(policy) else {
            throw Rejection(.badRequestPayload)
        }
        return policy == 1
    }
}
