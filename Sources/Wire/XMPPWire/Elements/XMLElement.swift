/// One element of a stanza: its names are resolved, so prefixes no longer matter.
public struct XMLElement: Sendable, Equatable {
    public var name: String
    /// Empty for none.
    public var namespace: String
    public var attributes: [XMLAttribute]
    /// The character data directly inside, all pieces joined; that of children is theirs.
    public var text: String
    public var children: [XMLElement]

    public init(
        _ name: String, in namespace: String, attributes: [XMLAttribute] = [], text: String = "",
        children: [XMLElement] = []
    ) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes
        self.text = text
        self.children = children
    }

    public func isNamed(_ name: String, in namespace: String) -> Bool {
        self.name == name && self.namespace == namespace
    }

    /// The value of an attribute without namespace.
    public subscript(attribute name: String) -> String? {
        attributes.first { $0.name == name && $0.namespace.isEmpty }?.value
    }

    /// The first such child.
    public func child(_ name: String, in namespace: String) -> XMLElement? {
        children.first { $0.isNamed(name, in: namespace) }
    }
}
