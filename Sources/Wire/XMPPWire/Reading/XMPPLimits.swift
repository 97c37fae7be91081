/// How much of a stream may be of one piece. What is larger ends the stream with `policy-violation`.
public struct XMPPLimits: Sendable, Equatable {
    /// A stanza from the first byte of its opening tag to the last of its closing tag.
    public var stanzaBytes = 65_536
    /// A single tag, the stream's opening tag among them. With it, names, namespaces and attribute values are bounded.
    public var tagBytes = 4_096
    /// Elements inside each other, the stanza itself being the first.
    public var depth = 16
    /// Elements of a stanza.
    public var elements = 256
    /// Attributes of one tag, declarations of namespaces not counted.
    public var attributes = 32

    public init() {}
}
