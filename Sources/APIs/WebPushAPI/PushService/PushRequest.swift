import HTTPSemantics
import PushModel
import WebPushWire

/// What an application server's POST to an endpoint says beside who it is. Source: RFC 8030 §5.
struct PushRequest {
    private static let maximumTopicCharacters = 32

    var timeToLive: TimeToLive
    var priority: MessagePriority
    var topic: String?
    /// `nil` for a push without content.
    var content: EncryptedPushContent?

    init(_ request: HTTPRequest) throws(PushRefusal) {
        let fields = request.head.fields
        timeToLive = try Self.timeToLive(fields.values(of: "ttl"))
        priority = try Self.priority(fields["urgency"])
        topic = try Self.topic(fields["topic"])
        content = request.body.isEmpty ? nil : try Self.content(request)
    }

    /// Longer than this service keeps messages is no fault: the answer says what was granted. Source: RFC 8030 §5.2.
    private static func timeToLive(_ values: [String]) throws(PushRefusal) -> TimeToLive {
        guard values.count == 1, let text = values.first?.trimmingSpaces(), (1...20).contains(text.utf8.count),
            text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { throw .badTimeToLive }
        return Int64(text).flatMap { TimeToLive(seconds: $0) } ?? .longest
    }

    /// Only what must not wait wakes a device that saves energy. Source: RFC 8030 §5.3.
    private static func priority(_ urgency: String?) throws(PushRefusal) -> MessagePriority {
        switch urgency?.trimmingSpaces() {
        case nil, "normal", "low", "very-low": .normal
        case "high": .high
        default: throw .badUrgency
        }
    }

    /// Source: RFC 8030 §5.4.
    private static func topic(_ text: String?) throws(PushRefusal) -> String? {
        guard let text = text?.trimmingSpaces() else { return nil }
        guard (1...maximumTopicCharacters).contains(text.utf8.count), text.utf8.allSatisfy(isTopicCharacter) else {
            throw .badTopic
        }
        return text
    }

    private static func isTopicCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func content(_ request: HTTPRequest) throws(PushRefusal) -> EncryptedPushContent {
        let fields = request.head.fields
        do throws(WebPushError) {
            return try EncryptedPushContent(
                body: request.body, contentEncoding: fields["content-encoding"]?.trimmingSpaces(),
                cryptoKey: joined(fields.values(of: "crypto-key")), encryption: joined(fields.values(of: "encryption")))
        } catch {
            throw .badContent
        }
    }

    private static func joined(_ values: [String]) -> String? {
        values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
