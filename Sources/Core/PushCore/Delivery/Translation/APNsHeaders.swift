import PushModel

/// The APNs request headers that a sender gave, checked. Only `apns-…` names travel; all others (`authorization`,
/// names of the connection) belong to the gateway and are left out.
struct APNsHeaders {
    private static let field = "message.apns.headers"
    private static let longestCollapseID = 64

    private(set) var topic: String?
    private(set) var pushType: String?
    private(set) var priority: String?
    /// Seconds since 1970; 0 means that APNs must not store the push.
    private(set) var expiration: Int64?
    private(set) var collapseID: String?
    private(set) var pushID: String?
    private(set) var others: [Message.DataEntry] = []

    /// - Parameter entries: Names in lower case. Of a repeated name the last value counts.
    init(_ entries: [Message.DataEntry]) throws(SendError) {
        for entry in entries where entry.key.hasPrefix("apns-") {
            guard Self.isFieldName(entry.key), Self.isFieldValue(entry.value) else {
                throw .invalid(Self.field, "The header \(entry.key) is not one line of text.")
            }
            try set(entry)
        }
    }

    private mutating func set(_ entry: Message.DataEntry) throws(SendError) {
        let value = entry.value
        switch entry.key {
        case "apns-topic": topic = value
        case "apns-push-type": pushType = value
        case "apns-priority": priority = try Self.priority(value)
        case "apns-expiration": expiration = try Self.expiration(value)
        case "apns-collapse-id": collapseID = try Self.collapseID(value)
        case "apns-id": pushID = try Self.pushID(value)
        default:
            others.removeAll { $0.key == entry.key }
            others.append(entry)
        }
    }

    private static func priority(_ value: String) throws(SendError) -> String {
        guard ["1", "5", "10"].contains(value) else {
            throw refused("apns-priority must be 1, 5 or 10.", reason: "BadPriority")
        }
        return value
    }

    private static func expiration(_ value: String) throws(SendError) -> Int64 {
        guard let seconds = Int64(value), seconds >= 0 else {
            throw refused("apns-expiration must be a time in seconds since 1970.", reason: "BadExpirationDate")
        }
        return seconds
    }

    private static func collapseID(_ value: String) throws(SendError) -> String {
        guard value.utf8.count <= longestCollapseID else {
            throw refused("apns-collapse-id must have at most 64 bytes.", reason: "BadCollapseId")
        }
        return value
    }

    private static func pushID(_ value: String) throws(SendError) -> String {
        let bytes = Array(value.utf8)
        let dashes = [8, 13, 18, 23]
        let isUUID =
            bytes.count == 36
            && bytes.indices.allSatisfy { dashes.contains($0) ? bytes[$0] == UInt8(ascii: "-") : bytes[$0].isHexDigit }
        guard isUUID else { throw refused("apns-id must be a UUID.", reason: "BadMessageId") }
        return value.lowercased()
    }

    private static func refused(_ text: String, reason: String) -> SendError {
        SendError(
            .invalidArgument, text, violations: [.init(field: field, description: text)],
            apns: APNsAnswer(status: 400, reason: reason))
    }

    private static func isFieldName(_ name: String) -> Bool {
        name.utf8.allSatisfy {
            $0 == UInt8(ascii: "-") || $0.isHexDigit || (UInt8(ascii: "g")...UInt8(ascii: "z")) ~= $0
        }
    }

    /// Visible text with inner spaces: what HTTP/2 lets through. Source: RFC 9113 §8.2.1.
    private static func isFieldValue(_ value: String) -> Bool {
        !value.hasPrefix(" ") && !value.hasSuffix(" ") && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
