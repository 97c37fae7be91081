/// Something that goes wrong on purpose. `FaultCondition` says when.
public enum Fault: Sendable, Equatable {
    // When a connection opens.

    /// The connection is dropped before its TLS handshake.
    case refuseConnection
    /// The TLS handshake starts only after that time.
    case slowHandshake(milliseconds: Int)
    /// GOAWAY comes where the first SETTINGS should.
    case goAwayInsteadOfSettings(reason: String?)
    /// Streams allowed before and after the first request with a valid token.
    case streamLimits(first: Int, authorized: Int)
    /// The limit falls to 1 with each refused push, and is restored by the next accepted one.
    case limitOneAfterError
    /// A stream beyond the limit ends the connection with GOAWAY error 7 instead of being refused alone.
    case goAwayOnLimitViolation
    /// The connection takes so many body bytes on a stream, and gives windows back only after the delay.
    case smallWindows(bytes: Int, updateDelayMilliseconds: Int)
    /// PINGs are not answered.
    case silentPings
    /// After so long without a request: the next is answered `IdleTimeout`, or GOAWAY comes; then the end.
    case idleTimeout(milliseconds: Int)
    /// The connection ends after so many refused pushes; `BadDeviceToken` counts twice, 410 not at all.
    case disconnectAfterErrors(Int)
    /// Once a token has expired, every answer is 500 until the sender reconnects.
    case serverErrorsAfterExpiredToken

    // When a request is answered; these go together with an outcome.

    /// The answer comes later; answers overtake one another.
    case delay(DelayShape)
    /// The answer has no `apns-id`.
    case omitID
    /// Errors carry this text instead of JSON.
    case errorText(String)
    /// A reason is spelled otherwise, as `BadEnvironmentKeyInToken`.
    case spell(RejectionReason, as: String)

    // Instead of the usual answer; the first that applies wins.

    /// The usual answer: ends the search, so that a list of outcomes can have good ones between.
    case pass
    case answer(ScriptedAnswer)
    /// The request gets no answer at all.
    case noAnswer(isDelivered: Bool)
    /// RST_STREAM with this error code; 7 is `REFUSED_STREAM`.
    case resetStream(code: UInt32)
    case goAway(GoAwayFault)
    /// Nothing is read or written any more, and the socket stays open.
    case halfOpen
    case closeConnection(CloseFault)
    /// 503 `Shutdown`, followed by GOAWAY.
    case shutdown
    /// This and all later answers of the connection are 500.
    case serverErrors
}

/// How long an answer is delayed.
public enum DelayShape: Sendable, Equatable {
    case fixed(milliseconds: Int)
    /// Uniformly distributed, by the script's seed.
    case between(milliseconds: ClosedRange<Int>)
    /// The usual delay, and another one for one request in so many.
    case outliers(milliseconds: Int, oneIn: Int, outlierMilliseconds: Int)
}

/// An answer that is given whatever the request is.
public struct ScriptedAnswer: Sendable, Equatable {
    public var status: Int
    public var reason: String?
    /// For 410: milliseconds since 1970. The time of the answer when `nil`.
    public var timestampMilliseconds: Int64?
    /// A body as it is, instead of the reason.
    public var body: String?
    public var retryAfterSeconds: Int?

    public init(
        status: Int, reason: String? = nil, timestampMilliseconds: Int64? = nil, body: String? = nil,
        retryAfterSeconds: Int? = nil
    ) {
        self.status = status
        self.reason = reason ?? Self.usualReason(forStatus: status)
        self.timestampMilliseconds = timestampMilliseconds
        self.body = body
        self.retryAfterSeconds = retryAfterSeconds
    }

    private static func usualReason(forStatus status: Int) -> String? {
        let reason: RejectionReason? =
            switch status {
            case 400: .badDeviceToken
            case 403: .invalidProviderToken
            case 404: .badPath
            case 405: .methodNotAllowed
            case 410: .unregistered
            case 413: .payloadTooLarge
            case 429: .tooManyRequests
            case 500: .internalServerError
            case 503: .serviceUnavailable
            default: nil
            }
        return reason?.rawValue
    }
}

/// How a connection is given up with GOAWAY.
public struct GoAwayFault: Sendable, Equatable {
    /// Becomes `{"reason":…}` in the debug data.
    public var reason: String?
    /// Debug data as it is.
    public var text: String?
    public var code: UInt32
    /// So many of the newest open streams, this one included, are above the last stream id and get nothing.
    public var unprocessedStreams: Int
    /// Two frames instead of one.
    public var isRepeated: Bool
    /// The socket stays open when all streams have ended.
    public var keepsConnection: Bool

    public init(
        reason: String? = nil, text: String? = nil, code: UInt32 = 0, unprocessedStreams: Int = 0,
        isRepeated: Bool = false, keepsConnection: Bool = false
    ) {
        self.reason = reason
        self.text = text
        self.code = code
        self.unprocessedStreams = unprocessedStreams
        self.isRepeated = isRepeated
        self.keepsConnection = keepsConnection
    }

    var debugData: [UInt8] {
        text.map { Array($0.utf8) } ?? reason.map { ErrorBody.text(reason: $0, timestampMilliseconds: nil) } ?? []
    }
}

/// How a connection ends without GOAWAY.
public struct CloseFault: Sendable, Equatable {
    public enum Moment: String, Sendable {
        /// When the header section is here, before the body.
        case headers
        /// When the whole request is here, before the answer.
        case request
        /// After the HEADERS frame of the answer.
        case answer
    }

    public var moment: Moment
    /// TCP RST instead of an orderly end.
    public var isReset: Bool

    public init(at moment: Moment, isReset: Bool) {
        self.moment = moment
        self.isReset = isReset
    }
}
