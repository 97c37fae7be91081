import PushModel

/// The names of `data` that belong to the service. Source: FCM HTTP v1, `Message.data`; FCM error codes, "Invalid data
/// key". `collapse_key` and other option names are the sender's.
public enum DataKeyRules {
    public static func isReserved(_ key: String) -> Bool {
        switch key {
        case "from", "message_type", "gcm", "google": true
        default: key.utf8.starts(with: "google.".utf8) || key.utf8.starts(with: "gcm.".utf8)
        }
    }

    /// - Parameter field: The map, `message.data`.
    static func check(_ data: [Message.DataEntry]?, field: String) throws(SendError) {
        guard let entry = data?.first(where: { isReserved($0.key) }) else { return }
        var error = SendError.invalid(field, "Invalid data payload key: \(entry.key)")
        error.kind = .reservedDataKey
        throw error
    }
}
