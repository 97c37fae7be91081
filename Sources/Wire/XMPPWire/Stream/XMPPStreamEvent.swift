/// What a stream brings.
public enum XMPPStreamEvent: Sendable, Equatable {
    /// The opening tag, once for each stream.
    case opened(XMPPStreamHeader)
    /// A whole element directly inside the stream: a stanza, or one of SASL and other negotiation.
    case stanza(XMLElement)
    /// The closing tag. What follows is not looked at.
    case ended
    /// Nothing more comes. The error is to be told and the stream to be closed.
    case failed(XMPPStreamError)
}
