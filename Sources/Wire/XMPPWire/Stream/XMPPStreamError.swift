/// Why a stream cannot go on. Source: RFC 6120 §4.9.3.
public struct XMPPStreamError: Error, Sendable, Equatable {
    public enum Condition: String, Sendable, CaseIterable {
        case badFormat = "bad-format"
        case badNamespacePrefix = "bad-namespace-prefix"
        case conflict
        case connectionTimeout = "connection-timeout"
        case hostUnknown = "host-unknown"
        case internalServerError = "internal-server-error"
        case invalidNamespace = "invalid-namespace"
        case invalidXML = "invalid-xml"
        case notAuthorized = "not-authorized"
        case notWellFormed = "not-well-formed"
        case policyViolation = "policy-violation"
        case reset
        case resourceConstraint = "resource-constraint"
        case restrictedXML = "restricted-xml"
        case systemShutdown = "system-shutdown"
        case undefinedCondition = "undefined-condition"
        case unsupportedEncoding = "unsupported-encoding"
        case unsupportedStanzaType = "unsupported-stanza-type"
        case unsupportedVersion = "unsupported-version"
    }

    public var condition: Condition
    /// For the people at the other end; empty for none.
    public var text: String

    public init(_ condition: Condition, _ text: String = "") {
        self.condition = condition
        self.text = text
    }

    /// `<stream:error>` with all that belongs into it.
    public var element: XMLElement {
        var children = [XMLElement(condition.rawValue, in: XMPPNamespace.streamErrors)]
        if !text.isEmpty { children.append(XMLElement("text", in: XMPPNamespace.streamErrors, text: text)) }
        return XMLElement("error", in: XMPPNamespace.streams, children: children)
    }
}
