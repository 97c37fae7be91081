/// What is counted, by its number in the database. Numbers are never given a new meaning.
enum ReportMeasure: Hashable {
    case targeted, sent, accepted, received, displayed, opened, dismissed
    /// Of those targeted: messages that show something.
    case notifications
    /// Of those accepted: devices that took the message more than a minute after it was sent.
    case delayed
    /// Deliveries that ended otherwise.
    case ended(OutcomeCode)

    private static let firstOutcome: Int64 = 100

    var code: Int64 {
        switch self {
        case .targeted: 1
        case .sent: 2
        case .accepted: 3
        case .received: 4
        case .displayed: 5
        case .opened: 6
        case .dismissed: 7
        case .notifications: 8
        case .delayed: 9
        case .ended(let outcome): Self.firstOutcome + outcome.rawValue
        }
    }

    init?(code: Int64) {
        switch code {
        case 1: self = .targeted
        case 2: self = .sent
        case 3: self = .accepted
        case 4: self = .received
        case 5: self = .displayed
        case 6: self = .opened
        case 7: self = .dismissed
        case 8: self = .notifications
        case 9: self = .delayed
        default:
            guard code > Self.firstOutcome, let outcome = OutcomeCode(rawValue: code - Self.firstOutcome) else {
                return nil
            }
            self = .ended(outcome)
        }
    }
}
