/// Why a multipart body was refused as a whole.
public enum MultipartError: Error, Equatable, Sendable {
    /// The content type is not `multipart/mixed` with a boundary of 1 to 70 characters.
    case badContentType
    /// No delimiter line, or none that closes the body.
    case unterminated
    case tooManyParts(maximum: Int)
    case partTooLarge(maximumBytes: Int)
    /// The header section of a part cannot be read.
    case badPartFields(part: Int)
}
