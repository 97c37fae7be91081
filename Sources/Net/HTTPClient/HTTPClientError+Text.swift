extension HTTPClientError: CustomStringConvertible {
    /// For people, without a full stop.
    public var description: String {
        switch self {
        case .cannotConnect(let detail): detail
        case .addressRefused: "none of its addresses is allowed"
        case .timedOut: "it took too long"
        case .tlsFailed(let detail): "TLS failed: \(detail)"
        case .connectionLost: "the connection ended before the answer did"
        case .cancelled: "the call was cancelled"
        case .responseTooLarge: "the answer is too large"
        case .malformedResponse: "the answer is no HTTP"
        }
    }
}
