import PushModel
import Timekeeping

/// A chunk of a fan-out that was read, with its members.
struct FanOutReading: Sendable {
    /// Later, a member may have another token, or be gone.
    private static let goodForMilliseconds: Int64 = 1_000

    var message: MessageID
    /// Where the fan-out was when it was read.
    var cursor: RegistrationID?
    var chunk: FanOutChunk
    var recipients: [Registration]
    var readAt: Timestamp

    /// Whether it is what the fan-out needs next, and fresh.
    func isNext(of fanOut: OpenFanOut, at now: Timestamp) -> Bool {
        message == fanOut.message.id && cursor == fanOut.cursor && now < fanOut.message.expiresAt
            && now < readAt.adding(milliseconds: Self.goodForMilliseconds)
    }
}
