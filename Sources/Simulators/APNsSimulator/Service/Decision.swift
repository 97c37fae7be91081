/// What the service decided about a request, for its connection to carry out.
struct Decision {
    /// The request's number in the log.
    var number: Int
    /// `nil`: no answer.
    var reply: Reply?
    /// The request came with a valid token or certificate.
    var isAuthorized = false
    /// The push was accepted.
    var isAccepted = false
    /// Why the service itself refused it.
    var rejection: RejectionReason?
}

/// A request with what its connection knows about it.
struct ReceivedRequest {
    var request: APNsRequest
    var connection: Int
    var stream: Int32
    /// Nth request of the connection, from 1.
    var ordinal: Int
    var neverIndexed: [String]
    var headerBlockBytes: Int
    var faults = RequestFaults()
}
