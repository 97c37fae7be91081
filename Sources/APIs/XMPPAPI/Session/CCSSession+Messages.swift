import LegacyAPI
import PushModel
import XMPPWire

/// What a bound app server sends.
extension CCSSession {
    private static let streamManagement = "urn:xmpp:sm:3"

    mutating func serve(_ element: XMLElement, _ project: Project, jid: String) -> [CCSAction] {
        switch (element.namespace, element.name) {
        case (XMPPNamespace.client, "message"): return serve(message: element, project, jid: jid)
        case (XMPPNamespace.client, "iq"): return answer(iq: element)
        case (XMPPNamespace.client, "presence"): return []
        case (Self.streamManagement, _): return [.send(Self.noStreamManagement)]
        default: return end(with: XMPPStreamError(.unsupportedStanzaType))
        }
    }

    private mutating func serve(message: XMLElement, _ project: Project, jid: String) -> [CCSAction] {
        // An error must not be answered with an error.
        guard message[attribute: "type"] != "error" else { return [] }
        guard let text = GCMElement.text(in: message) else {
            return reply(CCSReply.malformed(message, "InvalidJson: no gcm element", jid: jid), to: message)
        }
        switch CCSIncoming(text) {
        case .acknowledgement(let messageID, let sender):
            return [.acknowledge(messageID: messageID, sender: sender, project.number)]
        case .downstream(let downstream): return take(downstream, in: message, project)
        case .refused(let messageID, let recipient, let code, let description):
            let refusal = CCSReply.refusal(of: messageID, recipient: recipient, code, description: description)
            return reply(refusal, to: message)
        case .malformed(let text):
            return reply(CCSReply.malformed(message, text, jid: jid), to: message)
        }
    }

    private mutating func take(
        _ downstream: CCSDownstream, in message: XMLElement, _ project: Project
    ) -> [CCSAction] {
        if isDraining {
            let refusal = CCSReply.refusal(
                of: downstream.messageID, recipient: downstream.message.recipient, .connectionDraining,
                description: "Connection draining")
            return reply(refusal, to: message)
        }
        guard hasRoom(for: message) else { return [] }
        return [.submit(downstream, slot: answers.reserve(), project)]
    }

    /// An answer that is known at once waits its turn like the others.
    private mutating func reply(_ reply: XMLElement, to message: XMLElement) -> [CCSAction] {
        guard hasRoom(for: message) else { return [] }
        return answers.put(reply, in: answers.reserve()).map { .send($0) }
    }

    private mutating func hasRoom(for message: XMLElement) -> Bool {
        guard answers.pending >= services.maximumPending else { return true }
        park(message)
        return false
    }

    /// Source: XEP-0198 §3, for servers that do not offer it.
    private static var noStreamManagement: XMLElement {
        XMLElement(
            "failed", in: streamManagement,
            children: [XMLElement("unexpected-request", in: XMPPNamespace.stanzaErrors)])
    }
}
