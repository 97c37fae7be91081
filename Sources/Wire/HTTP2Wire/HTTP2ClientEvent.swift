public import HTTPSemantics

/// What the peer of a client did.
public enum HTTP2ClientEvent: Sendable, Equatable {
    /// The peer's SETTINGS arrived: its limits can be asked for, and may have changed.
    case settings
    case settingsAcknowledged
    /// A final answer; 1xx answers are left out. A status that is no number is 0.
    case response(stream: Int32, status: Int, fields: HTTPFields, endStream: Bool)
    /// A piece of an answer's body. Trailers end a body with an empty piece; their lines are dropped.
    case data(stream: Int32, bytes: [UInt8], endStream: Bool)
    /// Last event of a stream. `.noError` with a whole answer before it is success; `.refusedStream` was not processed.
    case closed(stream: Int32, code: HTTP2ErrorCode)
    /// No new streams on this connection; streams above `lastStream` close with `.refusedStream`.
    case goAway(lastStream: Int32, code: HTTP2ErrorCode, debugData: [UInt8])
    case ping(opaque: UInt64)
    case pingAcknowledged(opaque: UInt64)
    /// Last event of all: write what is left and close. Streams without `closed` have an unknown outcome.
    case failed(HTTP2Error)
}
