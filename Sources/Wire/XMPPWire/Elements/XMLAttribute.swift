/// An attribute with its value as text, references resolved.
public struct XMLAttribute: Sendable, Equatable {
    public var name: String
    /// Empty for none, which is the rule.
    public var namespace: String
    public var value: String

    public init(_ name: String, in namespace: String = "", _ value: String) {
        self.name = name
        self.namespace = namespace
        self.value = value
    }
}
