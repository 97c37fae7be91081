/// What APNs said to a push. Source: Apple, "Handling notification responses from APNs".
public struct APNsAnswer: Sendable, Equatable {
    /// HTTP status, 200 when accepted.
    public var status: Int
    /// The reason string, empty when accepted.
    public var reason: String
    /// With 410: when APNs last knew the token to be invalid, milliseconds since 1970.
    public var timestampMilliseconds: Int64?

    public init(status: Int, reason: String, timestampMilliseconds: Int64? = nil) {
        self.status = status
        self.reason = reason
        self.timestampMilliseconds = timestampMilliseconds
    }
}

/// Why a send was refused or a delivery failed: one kind per answer on which a client can act.
///
/// Each dialect has one table from here to its own statuses and codes.
public struct SendError: Error, Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// A field of the message breaks a rule. `violations` name it.
        case invalidArgument
        /// The target text is not a token that this service ever gave out.
        case malformedToken
        /// No target, or one that cannot be addressed.
        case noRecipient
        /// The target is gone; the sender should forget it.
        case unregistered
        /// The target belongs to another project.
        case senderIDMismatch
        /// The rendered payload is larger than the platform takes.
        case messageTooBig
        /// A key of `data` is reserved.
        case reservedDataKey
        /// The time to live is out of range.
        case timeToLiveOutOfRange
        /// The restricted package name is not the app's.
        case packageMismatch
        case projectQuotaExceeded, deviceQuotaExceeded, topicQuotaExceeded
        /// The project's credentials for APNs or web push are missing or refused.
        case thirdPartyAuthentication
        case unavailable
        case internalError
    }

    /// A field that breaks a rule: dotted names in snake case, `[i]` for elements, empty for the whole request.
    public struct Violation: Sendable, Equatable {
        public var field: String
        public var description: String

        public init(field: String, description: String) {
            self.field = field
            self.description = description
        }
    }

    public var kind: Kind
    public var message: String
    public var violations: [Violation]
    /// What APNs answered, when it was asked.
    public var apns: APNsAnswer?
    /// After how many seconds to try again, when known.
    public var retryAfterSeconds: Int?

    public init(
        _ kind: Kind, _ message: String, violations: [Violation] = [], apns: APNsAnswer? = nil,
        retryAfterSeconds: Int? = nil
    ) {
        self.kind = kind
        self.message = message
        self.violations = violations
        self.apns = apns
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// A broken rule of one field; the text is both the message and the violation's description.
    public static func invalid(_ field: String, _ text: String) -> SendError {
        SendError(.invalidArgument, text, violations: [Violation(field: field, description: text)])
    }
}
