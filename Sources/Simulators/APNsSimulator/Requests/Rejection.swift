public import Timekeeping

/// A refused request: the reason, and for 410 since when the token has been invalid.
public struct Rejection: Error, Sendable, Equatable {
    public var reason: RejectionReason
    public var invalidSince: Timestamp?

    public init(_ reason: RejectionReason, invalidSince: Timestamp? = nil) {
        self.reason = reason
        self.invalidSince = invalidSince
    }
}
