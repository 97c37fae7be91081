internal import CNghttp2

/// Why a session cannot go on, or a call on it was refused.
public enum HTTP2Error: Error, Equatable, Sendable {
    /// The first bytes were not the client connection preface (RFC 9113 §3.4).
    case badPreface
    /// The peer makes us queue answers without reading them.
    case flooded
    /// All 2^30 stream identifiers of this connection are used: open another one.
    case streamIDsExhausted
    /// The stream is unknown or already closed.
    case unknownStream
    /// The peer sent GOAWAY, or we did: no new stream on this connection.
    case connectionClosing
    /// Any other refusal of the library, by its number.
    case library(code: Int32)

    init(libraryCode: Int32) {
        switch libraryCode {
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue: self = .badPreface
        case NGHTTP2_ERR_FLOODED.rawValue, NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue: self = .flooded
        case NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE.rawValue: self = .streamIDsExhausted
        case NGHTTP2_ERR_STREAM_CLOSED.rawValue, NGHTTP2_ERR_INVALID_STREAM_ID.rawValue,
            NGHTTP2_ERR_DATA_EXIST.rawValue:
            self = .unknownStream
        case NGHTTP2_ERR_START_STREAM_NOT_ALLOWED.rawValue, NGHTTP2_ERR_SESSION_CLOSING.rawValue:
            self = .connectionClosing
        default: self = .library(code: libraryCode)
        }
    }
}
