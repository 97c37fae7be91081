import JSON
public import PushModel
import Timekeeping

/// Turns a message into what APNs takes.
///
/// The part that is the same for every device is rendered once, as an `ApplePushTemplate`; a fan-out adds only what
/// differs from device to device.
public struct ApplePushTranslator: Sendable {
    /// What becomes of a silent push for which the sender asked priority 10, which APNs refuses.
    public enum SilentUrgency: Sendable {
        /// The send fails with APNs' own reason: HTTP v1.
        case refuse
        /// The priority becomes 5: the legacy dialect, and messages that were accepted already.
        case lower
    }

    /// How long APNs keeps a push that names no expiration: 30 days. Source: FCM, "Set the lifespan of a message".
    public static let defaultLifetimeSeconds: Int64 = 2_592_000
    /// How long a push that APNs must not store is tried before it is given up.
    public static let immediateLifetimeSeconds: Int64 = 60

    /// The usual length of a FID.
    private static let fidCharacters = 22

    private let silentUrgency: SilentUrgency

    public init(silentUrgency: SilentUrgency = .lower) {
        self.silentUrgency = silentUrgency
    }

    /// Renders the part that all devices share.
    ///
    /// - Throws: `invalidArgument`, `reservedDataKey`, or `messageTooBig` when not even a device without FID fits.
    public func template(of message: ValidatedMessage) throws(SendError) -> ApplePushTemplate {
        let headers = try APNsHeaders(message.message.apns?.headers ?? [])
        let content = try ApsContent(message.message, givenType: headers.pushType)
        let payload = try ApplePayload.render(message, aps: content.aps)
        return try ApplePushTemplate(
            payload: payload, pushType: content.pushType, topic: headers.topic,
            pushID: message.target.isOneDevice ? headers.pushID : nil,
            headers: commonHeaders(of: message, given: headers, pushType: content.pushType),
            liveActivityToken: liveActivityToken(of: message.message),
            expiresAt: expiry(of: message, given: headers))
    }

    /// Whether the message can be sent to the device at all: what to ask before accepting it.
    public func check(_ message: ValidatedMessage, for recipient: Registration) throws(SendError) {
        _ = try template(of: message).payload(fid: recipient.fid)
    }

    /// Whether the message can be sent to an Apple device with a FID of the usual length.
    public func checkForAnyone(_ message: ValidatedMessage) throws(SendError) {
        _ = try template(of: message).payload(fid: String(repeating: "x", count: Self.fidCharacters))
    }

    private func commonHeaders(
        of message: ValidatedMessage, given: APNsHeaders, pushType: String
    ) throws(SendError) -> [Message.DataEntry] {
        let expiration = given.expiration ?? message.acceptedAt.adding(seconds: Self.defaultLifetimeSeconds).seconds
        var headers = [
            Message.DataEntry(key: "apns-push-type", value: pushType),
            Message.DataEntry(key: "apns-priority", value: try priority(given: given.priority, pushType: pushType)),
            Message.DataEntry(key: "apns-expiration", value: String(expiration)),
        ]
        if let collapseID = given.collapseID { headers.append(.init(key: "apns-collapse-id", value: collapseID)) }
        return headers + given.others
    }

    private func priority(given: String?, pushType: String) throws(SendError) -> String {
        guard pushType == "background" else { return given ?? "10" }
        guard given == "10", silentUrgency == .refuse else { return given == "1" ? "1" : "5" }
        throw SendError(
            .invalidArgument, "A background push must have apns-priority 5.",
            violations: [.init(field: "message.apns.headers", description: "apns-priority must be 5 for background")],
            apns: APNsAnswer(status: 400, reason: "BadPriority"))
    }

    /// When trying ends. A push that is not to be stored still gets its one attempt.
    private func expiry(of message: ValidatedMessage, given: APNsHeaders) -> Timestamp {
        let latest = message.acceptedAt.adding(seconds: Self.defaultLifetimeSeconds)
        guard let expiration = given.expiration else { return latest }
        guard expiration > message.acceptedAt.seconds else {
            return message.acceptedAt.adding(seconds: Self.immediateLifetimeSeconds)
        }
        return expiration < latest.seconds ? Timestamp(seconds: expiration) : latest
    }

    private func liveActivityToken(of message: Message) throws(SendError) -> String? {
        guard let text = message.apns?.liveActivityToken else { return nil }
        if let token = APNsDeviceToken(hex: text) { return token.hex }
        guard (1...512).contains(text.utf8.count), text.utf8.allSatisfy(\.isPathSafe) else {
            throw .invalid("message.apns.live_activity_token", "The live activity token is not valid.")
        }
        return text
    }
}

extension SendTarget {
    /// Whether an `apns-id` of the sender can be unique.
    fileprivate var isOneDevice: Bool {
        switch self {
        case .token, .fid: true
        case .tokens, .topic, .condition, .segment: false
        }
    }
}

extension UInt8 {
    /// Letters, digits, `-` and `_`: what stands in a path without escapes.
    fileprivate var isPathSafe: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
