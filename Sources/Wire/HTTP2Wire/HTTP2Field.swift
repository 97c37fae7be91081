/// A header field as HTTP/2 carries it: pseudo-header names begin with `:`, all names are lower case.
public struct HTTP2Field: Sendable, Equatable {
    /// How HPACK may represent the field. Source: RFC 7541 §6.2.
    public enum Indexing: Sendable, Equatable {
        /// The encoder chooses: it enters the dynamic table, unless it is `:path`, `content-length` or a credential.
        case automatic
        /// A literal that no table keeps, here and at any intermediary: for values that are secret or never repeat.
        case never
    }

    public var name: String
    public var value: String
    public var indexing: Indexing

    public init(_ name: String, _ value: String, indexing: Indexing = .automatic) {
        self.name = name
        self.value = value
        self.indexing = indexing
    }
}
