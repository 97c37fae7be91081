/// What a peer may make the parser hold. Checked before memory is spent.
public struct HTTP1Limits: Sendable, Equatable {
    /// Bytes of the request line or the status line.
    public var startLineBytes = 8_192
    /// Bytes of the header section with its line ends; trailers have as many again.
    public var headerSectionBytes = 32_768
    public var fieldLines = 100
    /// Hexadecimal digits of a chunk size.
    public var chunkSizeDigits = 12
    /// Bytes of all chunk extensions of one message.
    public var chunkExtensionBytes = 8_192
    /// Empty lines before a start line, which RFC 9112 §2.2 has a server skip.
    public var leadingEmptyLines = 2

    public init() {}
}
