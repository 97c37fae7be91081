public import JSON

/// A file that the system shows with a notification.
public struct NotificationAttachment: Sendable, Equatable {
    /// By the ending of its name: `jpeg`, `png`, `gif`.
    public var type: String
    public var byteCount: Int

    /// Why the system does not take a file. The numbers are those of `UNErrorDomain`.
    public enum Failure: Int, Error, Sendable {
        case missingFile = 100
        case unrecognizedType = 101
        case tooLarge = 102
        case broken = 105
    }

    /// Source: Apple, `UNNotificationAttachment`, "Supported File Types".
    private static let maximumImageBytes = 10 << 20
    private static let signatures: [String: [[UInt8]]] = [
        "jpg": [[0xFF, 0xD8, 0xFF]], "jpeg": [[0xFF, 0xD8, 0xFF]], "png": [[0x89, 0x50, 0x4E, 0x47]],
        "gif": [Array("GIF87a".utf8), Array("GIF89a".utf8)],
    ]

    /// Takes a file as the system does: the ending says what it is, and it must be that.
    init(path: String, bytes: [UInt8]) throws(Failure) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { throw .unrecognizedType }
        let ending = name[name.index(after: dot)...].lowercased()
        guard let starts = Self.signatures[ending] else { throw .unrecognizedType }
        guard bytes.count <= Self.maximumImageBytes else { throw .tooLarge }
        guard starts.contains(where: { bytes.starts(with: $0) }) else { throw .broken }
        type = ending == "jpg" ? "jpeg" : ending
        byteCount = bytes.count
    }
}

extension NotificationAttachment {
    /// The attachment as events and listings show it.
    public var json: JSONValue { ["type": .string(type), "bytes": .integer(Int64(byteCount))] }
}
