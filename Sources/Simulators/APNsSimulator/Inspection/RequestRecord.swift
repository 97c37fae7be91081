public import HTTPSemantics
public import Timekeeping

/// One request as the simulator saw it, and what became of it.
public struct RequestRecord: Sendable, Equatable {
    /// How the request ended.
    public enum Outcome: Sendable, Equatable {
        case accepted(PushFate)
        case rejected(RejectionReason)
        /// A channel request or broadcast that was carried out.
        case channel
        /// Answered by a fault, whatever the request was.
        case scripted
        /// No answer: the name of what happened instead.
        case unanswered(String)
    }

    /// Place among all requests, from 1.
    public var number: Int
    /// Nth connection, from 1.
    public var connection: Int
    public var stream: Int32
    public var environment: SimulatedEnvironment?
    public var method: String
    public var path: String
    /// In the order of the wire, provider token included; pseudo-headers are left out.
    public var fields: HTTPFields
    /// Names of headers that came as HPACK literals which no table may keep (RFC 7541 §6.2.3).
    public var neverIndexed: [String]
    /// Compressed bytes of the header section.
    public var headerBlockBytes: Int
    public var body: [UInt8]
    public var receivedAt: Timestamp
    public var answeredAt: Timestamp?
    /// `apns-id` of the answer.
    public var id: String
    /// HTTP status; `nil` without an answer.
    public var status: Int?
    /// The reason as it went out.
    public var reason: String?
    public var outcome: Outcome

    /// The body as text; bytes that are not UTF-8 become U+FFFD.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }
}

extension RequestRecord {
    /// Whether the request got so far that the service looked at the push: accepted, refused for its own sake, or
    /// answered by a fault. Not so when its sender or its form was refused.
    public var isPush: Bool {
        guard path.hasPrefix("/3/device/") else { return false }
        return switch outcome {
        case .accepted, .scripted: true
        case .rejected(let reason): reason.isAboutThePush
        case .unanswered, .channel: false
        }
    }
}

extension RejectionReason {
    var isAboutThePush: Bool {
        ![403, 404, 405].contains(status) && self != .tooManyProviderTokenUpdates
    }
}
