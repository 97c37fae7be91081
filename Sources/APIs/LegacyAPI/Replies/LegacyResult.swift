import PushModel

/// What became of one recipient of a legacy message.
struct LegacyResult: Sendable, Equatable {
    enum Outcome: Sendable, Equatable {
        /// The message's id; `nil` when nothing was to be delivered.
        case accepted(MessageID?)
        case failed(LegacyErrorCode)
    }

    /// The token as the sender wrote it.
    var token: String
    var outcome: Outcome
    /// The token to use from now on, when the sender used an earlier one.
    var currentToken: String?
    /// After how many seconds to try again, when known.
    var retryAfterSeconds: Int?
    /// The failure in words, for dialects that tell it.
    var detail = ""

    var isAccepted: Bool {
        if case .accepted = outcome { true } else { false }
    }

    static func failed(_ token: String, _ error: SendError) -> LegacyResult {
        LegacyResult(
            token: token, outcome: .failed(LegacyErrorCode(error)), retryAfterSeconds: error.retryAfterSeconds,
            detail: error.message)
    }
}
