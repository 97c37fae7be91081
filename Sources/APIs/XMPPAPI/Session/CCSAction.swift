import PushModel
import XMPPWire

/// What is to be done for a session, in this order.
enum CCSAction: Sendable, Equatable {
    /// Write the opening tag of our stream.
    case open(XMPPStreamHeader)
    case send(XMLElement)
    /// What the peer sends next is a new stream.
    case restart
    /// The app server is ready for upstream messages.
    case bound(Project)
    /// Send the message, and give the outcome to `answer`.
    case submit(CCSDownstream, slot: Int, Project)
    /// The app server has an upstream message.
    case acknowledge(messageID: String, sender: String, ProjectNumber)
    /// No new upstream messages are to be handed over.
    case stopDelivering(ProjectNumber)
    /// Write the closing tag and close the connection.
    case end
}
