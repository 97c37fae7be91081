import EventLoop
import HTTPSemantics

/// A request that a handler is answering.
///
/// `@unchecked Sendable`: touched on one loop's thread only.
final class RunningRequest: @unchecked Sendable {
    let head: HTTPRequestHead
    let keepsAlive: Bool
    var task: Task<Void, Never>?
    private let peerAddress: String
    private let bodyBytes: Int
    private let start = MonotonicTime.now()

    init(_ request: HTTPRequest, keepsAlive: Bool = true) {
        head = request.head
        peerAddress = request.peerAddress
        bodyBytes = request.body.count
        self.keepsAlive = keepsAlive
    }

    /// - Parameter isDelivered: `false` when the client has gone; the status is 499 then.
    func exchange(_ response: HTTPResponse, isDelivered: Bool) -> HTTPExchange {
        HTTPExchange(
            head: head, peerAddress: peerAddress, status: isDelivered ? response.status : 499,
            requestBodyBytes: bodyBytes, responseBodyBytes: isDelivered ? response.body.count : 0,
            duration: MonotonicTime.now().since(start))
    }
}
