import EventLoop
import PushCore
import PushModel

/// One push on its way through the gateway.
///
/// `@unchecked Sendable`: made on any thread, handed over once, then touched on its pool's loop only.
final class PushRequest: @unchecked Sendable {
    let push: ApplePush
    /// Since when it waits for a stream.
    @exclusivity(unchecked) var waitingSince: MonotonicTime
    private let completion: @Sendable (GatewayAnswer) -> Void
    /// Times that the service may or may not have taken the push.
    @exclusivity(unchecked) var unknownOutcomes = 0
    /// Times that it was sent again for a reason which is the connection's, not its own.
    @exclusivity(unchecked) var resends = 0
    /// When it was last handed to a connection.
    @exclusivity(unchecked) var submittedAt = MonotonicTime(nanoseconds: 0)
    /// The answer so far.
    @exclusivity(unchecked) var status = 0
    @exclusivity(unchecked) var body: [UInt8] = []

    init(_ push: ApplePush, enqueuedAt: MonotonicTime, completion: @escaping @Sendable (GatewayAnswer) -> Void) {
        self.push = push
        waitingSince = enqueuedAt
        self.completion = completion
    }

    var pushID: String { push.header("apns-id") ?? "" }

    func complete(_ answer: GatewayAnswer) {
        completion(answer)
    }

    /// Forgets what a former try received.
    func startAgain() {
        status = 0
        body = []
    }
}
