import PushModel

/// The number of an outcome in the database. Numbers are never given a new meaning.
enum OutcomeCode: Int64, CaseIterable {
    case accepted = 1
    case expired = 2
    case superseded = 3
    case discarded = 4
    case invalidArgument = 16
    case malformedToken, noRecipient, unregistered, senderIDMismatch, messageTooBig
    case reservedDataKey, timeToLiveOutOfRange, packageMismatch, projectQuotaExceeded, deviceQuotaExceeded
    case topicQuotaExceeded, thirdPartyAuthentication, unavailable, internalError

    init(_ outcome: DeliveryOutcome) {
        self =
            switch outcome {
            case .accepted: .accepted
            case .expired: .expired
            case .superseded: .superseded
            case .discarded: .discarded
            case .failed(let error): OutcomeCode(error.kind)
            }
    }

    private init(_ kind: SendError.Kind) {
        self =
            switch kind {
            case .invalidArgument: .invalidArgument
            case .malformedToken: .malformedToken
            case .noRecipient: .noRecipient
            case .unregistered: .unregistered
            case .senderIDMismatch: .senderIDMismatch
            case .messageTooBig: .messageTooBig
            case .reservedDataKey: .reservedDataKey
            case .timeToLiveOutOfRange: .timeToLiveOutOfRange
            case .packageMismatch: .packageMismatch
            case .projectQuotaExceeded: .projectQuotaExceeded
            case .deviceQuotaExceeded: .deviceQuotaExceeded
            case .topicQuotaExceeded: .topicQuotaExceeded
            case .thirdPartyAuthentication: .thirdPartyAuthentication
            case .unavailable: .unavailable
            case .internalError: .internalError
            }
    }
}
