/// The namespaces of XMPP. Source: RFC 6120 Appendix A, RFC 3921 §3, RFC 6121, XEP-0199.
public enum XMPPNamespace {
    public static let client = "jabber:client"
    public static let streams = "http://etherx.jabber.org/streams"
    public static let streamErrors = "urn:ietf:params:xml:ns:xmpp-streams"
    public static let stanzaErrors = "urn:ietf:params:xml:ns:xmpp-stanzas"
    public static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"
    public static let bind = "urn:ietf:params:xml:ns:xmpp-bind"
    public static let session = "urn:ietf:params:xml:ns:xmpp-session"
    public static let roster = "jabber:iq:roster"
    public static let ping = "urn:xmpp:ping"
    /// That of the prefix `xml`, which needs no declaration.
    public static let xml = "http://www.w3.org/XML/1998/namespace"
}
