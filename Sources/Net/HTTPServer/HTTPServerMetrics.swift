public import HTTPSemantics

/// What a server counts. Every method has an empty default, and is called on an event loop: return quickly.
public protocol HTTPServerMetrics: Sendable {
    func connectionOpened()
    func connectionClosed()
    /// A handler begins to answer.
    func requestStarted()
    /// A handler's answer is on its way; or its client has gone before (`status` is 499 then).
    func requestEnded(_ exchange: HTTPExchange)
    /// The server itself answered, because of a limit or an error in the request.
    func requestRefused(status: Int)
}

extension HTTPServerMetrics {
    public func connectionOpened() {}
    public func connectionClosed() {}
    public func requestStarted() {}
    public func requestEnded(_ exchange: HTTPExchange) {}
    public func requestRefused(status: Int) {}
}

/// One request and its answer, measured.
public struct HTTPExchange: Sendable {
    public var head: HTTPRequestHead
    public var peerAddress: String
    public var status: Int
    /// Decoded bytes.
    public var requestBodyBytes: Int
    public var responseBodyBytes: Int
    /// From the whole request to the answer.
    public var duration: Duration
}

/// Counts nothing.
public struct NoHTTPServerMetrics: HTTPServerMetrics {
    public init() {}
}
