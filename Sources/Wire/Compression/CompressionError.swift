/// Why compressed bytes were refused.
public enum CompressionError: Error, Equatable, Sendable {
    /// Not the announced format, or a checksum that is wrong.
    case corrupt
    /// The bytes end before the format does.
    case truncated
    /// The output would be larger than allowed: a compression bomb, or a body that is too long anyway.
    case tooLarge(maximumBytes: Int)
}
