public import Timekeeping

/// When a fault strikes. All parts that are given must hold.
public struct FaultCondition: Sendable, Equatable {
    public var environment: SimulatedEnvironment?
    /// The nth connection since the start or the last reset, from 1.
    public var connection: Int?
    /// The nth request of its connection, from 1.
    public var request: Int?
    /// Device token, lower-case hexadecimal.
    public var token: String?
    public var tokenPrefix: String?
    public var topic: String?
    public var from: Timestamp?
    public var until: Timestamp?
    /// The nth of the connections or requests for which the above holds, from 1.
    public var nth: Int?
    /// Each nth of them.
    public var every: Int?
    /// 0 to 1, by the script's seed.
    public var probability: Double?
    /// Strikes so many times at most.
    public var count: Int?

    public init() {}

    /// Whether it speaks about requests: such a fault cannot strike when a connection opens.
    var needsRequest: Bool {
        request != nil || token != nil || tokenPrefix != nil || topic != nil
    }
}

/// A fault and when it strikes.
public struct FaultRule: Sendable, Equatable {
    public var fault: Fault
    public var condition: FaultCondition

    public init(_ fault: Fault, when condition: FaultCondition = FaultCondition()) {
        self.fault = fault
        self.condition = condition
    }

    /// A fault that strikes the next so many times.
    public init(_ fault: Fault, count: Int) {
        self.init(fault)
        condition.count = count
    }
}

/// When in the life of a connection a fault acts.
enum FaultStage {
    /// Before the TLS handshake.
    case accept
    case connection, modifier, outcome
}

extension Fault {
    var stage: FaultStage {
        switch self {
        case .refuseConnection, .slowHandshake: .accept
        case .goAwayInsteadOfSettings, .streamLimits, .limitOneAfterError,
            .goAwayOnLimitViolation, .smallWindows, .silentPings, .idleTimeout, .disconnectAfterErrors,
            .serverErrorsAfterExpiredToken:
            .connection
        case .delay, .omitID, .errorText, .spell: .modifier
        case .pass, .answer, .noAnswer, .resetStream, .goAway, .halfOpen, .closeConnection, .shutdown, .serverErrors:
            .outcome
        }
    }
}
