/// The opening tag of a stream. Source: RFC 6120 §4.7.
public struct XMPPStreamHeader: Sendable, Equatable {
    public var attributes: [XMLAttribute]
    /// The default namespace that the tag declares; empty for none.
    public var defaultNamespace: String

    public init(attributes: [XMLAttribute], defaultNamespace: String) {
        self.attributes = attributes
        self.defaultNamespace = defaultNamespace
    }

    public var to: String? { self["to"] }
    public var from: String? { self["from"] }
    public var id: String? { self["id"] }
    public var version: String? { self["version"] }
    public var language: String? {
        attributes.first { $0.name == "lang" && $0.namespace == XMPPNamespace.xml }?.value
    }

    private subscript(name: String) -> String? {
        attributes.first { $0.name == name && $0.namespace.isEmpty }?.value
    }
}
