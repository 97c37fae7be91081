import HTTP2Wire

/// How one connection behaves: the rules, changed by the faults that struck when it opened.
struct ConnectionBehaviour {
    var firstStreamLimit: Int
    var authorizedStreamLimit: Int
    var dropsLimitAfterError = false
    var goesAwayOnLimitViolation = false
    var goAwayInsteadOfSettings: GoAwayFault?
    var windowBytes: Int
    /// `nil`: windows open by themselves.
    var windowUpdateDelayMilliseconds: Int?
    var answersPings = true
    var idleMilliseconds: Int?
    var maximumErrors: Int?
    var failsAfterExpiredToken = false

    init(rules: ConnectionRules, hasCertificate: Bool, faults: [Fault]) {
        firstStreamLimit = hasCertificate ? rules.authorizedStreamLimit : rules.firstStreamLimit
        authorizedStreamLimit = rules.authorizedStreamLimit
        windowBytes = rules.initialWindowBytes
        for fault in faults { apply(fault) }
    }

    private mutating func apply(_ fault: Fault) {
        switch fault {
        case .streamLimits(let first, let authorized): (firstStreamLimit, authorizedStreamLimit) = (first, authorized)
        case .limitOneAfterError: dropsLimitAfterError = true
        case .goAwayOnLimitViolation: goesAwayOnLimitViolation = true
        case .goAwayInsteadOfSettings(let reason): goAwayInsteadOfSettings = GoAwayFault(reason: reason)
        case .smallWindows(let bytes, let delay): (windowBytes, windowUpdateDelayMilliseconds) = (bytes, delay)
        case .silentPings: answersPings = false
        case .idleTimeout(let milliseconds): idleMilliseconds = milliseconds
        case .disconnectAfterErrors(let errors): maximumErrors = errors
        case .serverErrorsAfterExpiredToken: failsAfterExpiredToken = true
        default: break
        }
    }

    func sessionConfiguration(rules: ConnectionRules) -> HTTP2ServerConfiguration {
        var configuration = HTTP2ServerConfiguration()
        configuration.settings = HTTP2Settings(
            headerTableBytes: rules.headerTableBytes, maximumConcurrentStreams: firstStreamLimit,
            initialWindowBytes: windowBytes, maximumFrameBytes: rules.maximumFrameBytes,
            maximumHeaderListBytes: rules.maximumHeaderListBytes)
        configuration.connectionWindowBytes = 65_535
        configuration.flowControl = windowUpdateDelayMilliseconds == nil ? .automatic : .manual
        configuration.answersPings = answersPings
        configuration.recordsRawFields = true
        return configuration
    }
}
