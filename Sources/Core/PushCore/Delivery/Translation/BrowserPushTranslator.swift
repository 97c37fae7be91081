public import PushModel
import Timekeeping

/// Turns a message into what browsers take.
public struct BrowserPushTranslator: Sendable {
    /// The longest payload: with all that encryption adds it fills the 4,096 bytes that push services take.
    /// Source: RFC 8291 §4.
    public static let maximumPayloadBytes = 3_992
    /// How long a push without a time to live is kept: four weeks.
    public static let defaultLifetimeSeconds = TimeToLive.longest.seconds
    /// How long a push that nobody must store is tried before it is given up.
    public static let immediateLifetimeSeconds: Int64 = 60
    private static let maximumTopicCharacters = 32

    public init() {}

    /// - Throws: `messageTooBig`; `invalidArgument` for a header that no push service takes.
    public func push(_ message: ValidatedMessage) throws(SendError) -> BrowserPush {
        let headers = message.message.webpush?.headers ?? []
        func header(_ name: String) -> String? { headers.last { $0.key.lowercased() == name }?.value }
        let topic = header("topic")
        if let topic, !Self.isTopic(topic) {
            throw .invalid("message.webpush.headers", "Topic must be 1 to 32 characters of base64url.")
        }
        let payload = BrowserPayload.render(message, topic: topic)
        guard payload.count <= Self.maximumPayloadBytes else {
            throw SendError(.messageTooBig, "Web push message is too big")
        }
        let seconds = lifetimeSeconds(of: message.message, given: header("ttl"))
        return BrowserPush(
            payload: payload, urgency: header("urgency") ?? message.message.android?.priority?.rawValue, topic: topic,
            expiresAt: message.acceptedAt.adding(seconds: seconds > 0 ? seconds : Self.immediateLifetimeSeconds),
            isOnlyForNow: seconds == 0)
    }

    /// The web part's `TTL`, whose form the message's rules have checked; else the other time to live that a message
    /// may have, which the older dialects set for all platforms.
    private func lifetimeSeconds(of message: Message, given: String?) -> Int64 {
        guard let seconds = given.flatMap({ Int64($0) }) else {
            return (message.android?.timeToLive ?? .longest).seconds
        }
        return min(max(0, seconds), Self.defaultLifetimeSeconds)
    }

    private static func isTopic(_ text: String) -> Bool {
        (1...maximumTopicCharacters).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
