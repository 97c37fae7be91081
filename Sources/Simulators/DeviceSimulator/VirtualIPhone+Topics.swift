import EventLoop
import Synchronization

extension VirtualIPhone {
    /// The app subscribes to a topic, or leaves it.
    /// - Parameter milliseconds: How long to wait for the SDK's answer, in real time. After that the SDK goes on alone.
    public func changeTopic(
        _ change: TopicChange, withinMilliseconds milliseconds: Int64
    ) async throws(Failure) -> TopicOutcome {
        guard let app = sampleApp else { throw .notRunning }
        return await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            let isAccepted = loop.execute { [weak self, loop] in
                loop.schedule(after: .milliseconds(milliseconds)) { answer.give(.waiting) }
                self?.inContainer { app.changeTopic(change) { answer.give($0) } }
            }
            if !isAccepted { answer.give(.waiting) }
        }
    }
}

/// Resumes once, with whatever comes first.
private final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<TopicOutcome, Never>?>

    init(_ continuation: CheckedContinuation<TopicOutcome, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ outcome: TopicOutcome) {
        continuation.withLock { $0.take() }?.resume(returning: outcome)
    }
}
