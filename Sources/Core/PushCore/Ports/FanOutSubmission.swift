public import PushModel

/// Takes messages to topics and conditions.
public protocol FanOutSubmission: Sendable {
    /// Durable when it returns; the members get it afterwards.
    func submit(_ message: ValidatedMessage) async throws(StoreError)
}

extension FanOut: FanOutSubmission {}
