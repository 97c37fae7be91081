/// How many streams a connection may have. With provider tokens one until a valid token was seen; optionally one again
/// after a refused push, until the next accepted one.
struct StreamLimiter {
    let first: Int
    let authorized: Int
    let dropsAfterError: Bool
    private(set) var current: Int

    init(first: Int, authorized: Int, dropsAfterError: Bool) {
        self.first = first
        self.authorized = authorized
        self.dropsAfterError = dropsAfterError
        current = first
    }

    /// - Returns: The new limit when it changes.
    mutating func note(_ decision: Decision) -> Int? {
        let wanted =
            if dropsAfterError && !decision.isAccepted {
                1
            } else if decision.isAuthorized {
                authorized
            } else {
                current
            }
        guard wanted != current else { return nil }
        current = wanted
        return wanted
    }
}
