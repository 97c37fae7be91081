import Synchronization

/// A transport that records each request and answers from a function.
public final class ScriptedTransport: WebTransport {
    public typealias Answer = @Sendable (WebRequest) async -> Result<WebResponse, WebError>

    private struct State {
        var requests: [WebRequest] = []
        var answer: Answer
    }

    private let state: Mutex<State>

    public init(answer: @escaping Answer = { _ in .failure(.notConnectedToInternet) }) {
        state = Mutex(State(answer: answer))
    }

    /// Every request sent so far, oldest first.
    public var requests: [WebRequest] { state.withLock(\.requests) }

    /// Answers with this function from now on.
    public func answer(_ answer: @escaping Answer) {
        state.withLock { $0.answer = answer }
    }

    public func send(_ request: WebRequest) async throws(WebError) -> WebResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answer
        }
        return try await answer(request).get()
    }
}
