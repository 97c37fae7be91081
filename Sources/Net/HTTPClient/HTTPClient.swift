public import EventLoop
public import HTTPSemantics
public import Transport

/// Sends requests over HTTP/1.1, on connections that it keeps and uses again.
public final class HTTPClient: Sendable {
    private let pool: ConnectionPool

    /// - Parameter loop: Where the client's connections live. Callers may be anywhere.
    /// - Throws: When the configured authorities or the identity cannot be read.
    public init(
        _ configuration: HTTPClientConfiguration = HTTPClientConfiguration(), loop: EventLoop
    ) throws(TransportError) {
        let tls = try TLSClientContext(
            trust: configuration.trust, protocols: ["http/1.1"], identity: configuration.identity)
        pool = ConnectionPool(configuration, tls: tls, loop: loop)
    }

    deinit {
        shutDown()
    }

    /// Sends a request and waits for the whole answer, whatever its status. Redirections are not followed.
    ///
    /// A request that may be repeated is sent once more when a kept connection turns out to be closed.
    public func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
        let exchange = ClientExchange(request, loop: pool.loop)
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isRunning = pool.loop.execute { [pool] in
                    exchange.onFinish = { continuation.resume(returning: $0) }
                    pool.start(exchange)
                }
                if !isRunning { continuation.resume(returning: .failure(.connectionLost)) }
            }
        } onCancel: {
            exchange.cancel()
        }
        return try result.get()
    }

    /// A request without fields of its own, or with a few.
    public func send(
        _ method: String, _ url: HTTPURL, fields: HTTPFields = HTTPFields(), body: [UInt8] = []
    ) async throws(HTTPClientError) -> HTTPResponse {
        try await send(HTTPClientRequest(method: method, url: url, fields: fields, body: body))
    }

    /// Ends all connections; requests under way fail with `connectionLost`.
    public func shutDown() {
        pool.loop.execute { [pool] in pool.shutDown() }
    }
}
