import EventLoop
import PushModel

/// Stops pushes whose credential APNs keeps refusing, before the refusals cost the connection.
struct CredentialBreaker {
    private static let refusalsToOpen = 10
    private static let firstPause: Duration = .seconds(10)
    private static let longestPause: Duration = .seconds(300)

    private var refusals = 0
    private var pause = Self.firstPause
    private var openUntil: MonotonicTime?
    private var lastAnswer: APNsAnswer?

    /// What to answer instead of asking APNs again; `nil` lets the push go.
    func refusal(at now: MonotonicTime) -> APNsAnswer? {
        guard let openUntil, let lastAnswer, now < openUntil else { return nil }
        return lastAnswer
    }

    /// After a pause one push is let through, to see whether the credential is good again.
    mutating func letThrough(at now: MonotonicTime) {
        if openUntil != nil { openUntil = now.adding(pause) }
    }

    mutating func refused(_ answer: APNsAnswer, at now: MonotonicTime) {
        refusals += 1
        lastAnswer = answer
        guard refusals >= Self.refusalsToOpen else { return }
        if openUntil != nil { pause = min(pause * 2, Self.longestPause) }
        openUntil = now.adding(pause)
    }

    /// APNs said that it will not take the credential at all: its word counts at once.
    mutating func halt(_ answer: APNsAnswer, at now: MonotonicTime) {
        lastAnswer = answer
        refusals = Self.refusalsToOpen
        pause = Self.longestPause
        openUntil = now.adding(pause)
    }

    mutating func accepted() {
        guard refusals > 0 else { return }
        self = CredentialBreaker()
    }
}
