/// Why a message was refused. The connection cannot go on: answer with `status` and close.
public enum HTTP1Error: Error, Equatable, Sendable, CaseIterable {
    case badRequestLine
    case badStatusLine
    case unsupportedVersion
    case targetTooLong
    case headerSectionTooLarge
    case tooManyFields
    /// A line that ends without CR, or a CR elsewhere.
    case bareLineEnd
    /// A continuation line (RFC 9112 §5.2).
    case foldedField
    case badFieldName
    case badFieldValue
    /// `Host` is missing, repeated or malformed (RFC 9112 §3.2).
    case badHost
    case badContentLength
    /// Both `Content-Length` and `Transfer-Encoding`, or several that differ: request smuggling (RFC 9112 §6.3).
    case ambiguousLength
    /// A coding other than `chunked`, which this side cannot undo (RFC 9112 §6.1).
    case unsupportedTransferCoding
    case badTransferCoding
    case badChunk
    case unsupportedExpectation
    /// The peer closed before the message was whole.
    case truncated
    /// An answer that switches protocols, which nobody asked for.
    case unexpectedUpgrade

    /// The status that a server answers with.
    public var status: Int {
        switch self {
        case .unsupportedVersion: 505
        case .targetTooLong: 414
        case .headerSectionTooLarge, .tooManyFields: 431
        case .unsupportedTransferCoding: 501
        case .unsupportedExpectation: 417
        default: 400
        }
    }
}
