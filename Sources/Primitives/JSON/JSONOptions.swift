/// Bounds of a reader, checked before memory is spent.
public struct JSONOptions: Sendable {
    /// How many arrays and objects may lie inside one another. RFC 8259 §9 allows such a limit.
    public var maximumDepth: Int
    /// The longest text that is read, in bytes.
    public var maximumBytes: Int
    /// Whether one UTF-8 byte order mark at the start is passed over. RFC 8259 §8.1 lets parsers ignore it.
    public var skipsByteOrderMark: Bool

    public init(maximumDepth: Int = 100, maximumBytes: Int = 16 << 20, skipsByteOrderMark: Bool = false) {
        self.maximumDepth = maximumDepth
        self.maximumBytes = maximumBytes
        self.skipsByteOrderMark = skipsByteOrderMark
    }
}
