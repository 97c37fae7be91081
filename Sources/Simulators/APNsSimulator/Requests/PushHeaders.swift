import HTTPSemantics

/// How long an undeliverable push may wait. Source: Apple, header `apns-expiration`.
public enum PushExpiration: Sendable, Hashable {
    /// `0`: one attempt, never stored.
    case never
    /// Stored until that second since 1970.
    case until(seconds: Int64)
    /// No header: stored as long as the service likes.
    case unspecified
}

/// The headers of a push, each proved to have an allowed value.
struct PushHeaders: Equatable {
    static let maximumCollapseIDBytes = 64

    /// `apns-id` as sent.
    let id: String?
    let expiration: PushExpiration
    /// 10, 5 or 1.
    let priority: Int
    let type: PushType?
    let collapseID: String?

    init(_ fields: HTTPFields) throws(Rejection) {
        id = try Self.messageID(fields["apns-id"])
        expiration = try Self.expiration(fields["apns-expiration"])
        let priority = try Self.priority(fields["apns-priority"])
        let type = try Self.type(fields["apns-push-type"])
        if type == .background && priority == 10 { throw Rejection(.badPriority) }
        self.priority = priority ?? (type == .background ? 5 : 10)
        self.type = type
        collapseID = try Self.collapseID(fields["apns-collapse-id"])
    }

    private static func messageID(_ value: String?) throws(Rejection) -> String? {
        guard let value else { return nil }
        guard isUUID(value) else { throw Rejection(.badMessageID) }
        return value
    }

    /// 8-4-4-4-12 hexadecimal digits of either case.
    static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.utf8.allSatisfy(isHexDigit) }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private static func expiration(_ value: String?) throws(Rejection) -> PushExpiration {
        guard let value else { return .unspecified }
        guard let seconds = wholeNumber(value) else { throw Rejection(.badExpirationDate) }
        return seconds == 0 ? .never : .until(seconds: seconds)
    }

    private static func priority(_ value: String?) throws(Rejection) -> Int? {
        guard let value else { return nil }
        guard let priority = wholeNumber(value), [10, 5, 1].contains(priority) else { throw Rejection(.badPriority) }
        return Int(priority)
    }

    private static func type(_ value: String?) throws(Rejection) -> PushType? {
        guard let value else { return nil }
        guard let type = PushType(rawValue: value) else { throw Rejection(.invalidPushType) }
        return type
    }

    private static func collapseID(_ value: String?) throws(Rejection) -> String? {
        guard let value, !value.isEmpty else { return nil }
        guard value.utf8.count <= maximumCollapseIDBytes else { throw Rejection(.badCollapseID) }
        return value
    }

    /// Digits only: `Int64` would also read a sign.
    private static func wholeNumber(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(text)
    }
}
