import EventLoop
import HTTPSemantics
import Synchronization

/// One request on its way to its one answer.
///
/// `@unchecked Sendable`: touched on the loop's thread only, but for `isCancelled`, which is atomic.
final class ClientExchange: @unchecked Sendable {
    let request: HTTPClientRequest
    let loop: EventLoop
    var onFinish: ((Result<HTTPResponse, HTTPClientError>) -> Void)?
    var deadlineTimer: ScheduledTimer?
    /// The connection that works on it.
    weak var connection: ClientConnection?
    var attempts = 0
    private(set) var isFinished = false
    private let isCancelled = Atomic(false)

    init(_ request: HTTPClientRequest, loop: EventLoop) {
        self.request = request
        self.loop = loop
    }

    /// From every thread.
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        loop.execute { [self] in giveUp(.cancelled) }
    }

    func start(deadline: Duration) {
        if isCancelled.load(ordering: .acquiring) { return finish(.failure(.cancelled)) }
        deadlineTimer = loop.schedule(after: deadline) { [self] in giveUp(.timedOut) }
    }

    /// Ends without an answer, and with the connection that was waiting for it.
    func giveUp(_ error: HTTPClientError) {
        guard !isFinished, onFinish != nil else { return }
        let current = connection
        finish(.failure(error))
        current?.abandon(self)
    }

    func finish(_ result: Result<HTTPResponse, HTTPClientError>) {
        guard !isFinished else { return }
        isFinished = true
        deadlineTimer?.cancel()
        deadlineTimer = nil
        connection = nil
        let last = onFinish
        onFinish = nil
        last?(result)
    }
}
