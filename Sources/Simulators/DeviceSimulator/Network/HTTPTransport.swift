public import FirebasePlatform
public import HTTPClient
import HTTPSemantics

/// The way of a phone's requests: an HTTP client of the machine.
public struct HTTPTransport: WebTransport {
    private let client: HTTPClient

    /// - Parameter client: May be shared by many phones. A redirection of it lets SDKs with fixed host names reach a
    ///   local service.
    public init(client: HTTPClient) {
        self.client = client
    }

    public func send(_ request: WebRequest) async throws(WebError) -> WebResponse {
        guard let url = HTTPURL(request.url) else { throw .badURL }
        let fields = HTTPFields(request.headers.map { ($0.name.lowercased(), $0.value) })
        do throws(HTTPClientError) {
            let response = try await client.send(
                HTTPClientRequest(method: request.method, url: url, fields: fields, body: request.body))
            return WebResponse(
                status: response.status,
                headers: response.fields.lines.map { WebRequest.Header($0.name, $0.value) }, body: response.body)
        } catch {
            throw WebError(error)
        }
    }
}

extension WebError {
    /// What `URLSession` would say.
    fileprivate init(_ error: HTTPClientError) {
        switch error {
        case .cannotConnect, .addressRefused: self = .cannotConnectToHost
        case .timedOut: self = .timedOut
        case .tlsFailed: self = .secureConnectionFailed
        case .connectionLost: self = .networkConnectionLost
        case .cancelled: self = .cancelled
        case .responseTooLarge: self = .dataLengthExceedsMaximum
        case .malformedResponse: self = .badServerResponse
        }
    }
}
