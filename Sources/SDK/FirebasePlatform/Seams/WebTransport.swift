/// One request. Headers go out in the order given; the body is sent as it is.
public struct WebRequest: Sendable, Hashable {
    /// Which kind of session the official client uses: `ephemeral` keeps no cookies and no cache.
    public enum Session: Sendable, Hashable { case ephemeral, standard }
    public struct Header: Sendable, Hashable {
        public var name: String
        public var value: String
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public var method: String
    /// Absolute URL, already percent-encoded.
    public var url: String
    public var headers: [Header]
    public var body: [UInt8]
    public var session: Session
    /// For the whole exchange.
    public var timeoutSeconds: Double

    public init(
        method: String, url: String, headers: [Header] = [], body: [UInt8] = [], session: Session = .standard,
        timeoutSeconds: Double = 60
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.session = session
        self.timeoutSeconds = timeoutSeconds
    }
}

public struct WebResponse: Sendable, Hashable {
    public var status: Int
    public var headers: [WebRequest.Header]
    public var body: [UInt8]

    public init(status: Int, headers: [WebRequest.Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Sends HTTP requests. A cancelled task ends the exchange with `WebError.cancelled`.
public protocol WebTransport: Sendable {
    /// - Throws: `WebError` when there was no answer; every answer, whatever its status, is a `WebResponse`.
    func send(_ request: WebRequest) async throws(WebError) -> WebResponse
}
