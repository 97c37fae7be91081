import JSON
import LegacyAPI
import XMPPWire

/// Writes the answers to messages of app servers. Source: FCM XMPP protocol, "Downstream message response".
enum CCSReply {
    private static let maximumEchoedCharacters = 200

    static func reply(to downstream: CCSDownstream, _ outcome: SingleMessageSender.Outcome) -> XMLElement {
        let recipient = downstream.message.recipient
        switch outcome {
        case .accepted(let currentToken):
            return acknowledgement(downstream, currentToken.map { [("registration_id", .string($0))] } ?? [])
        case .group(let accepted, let failed):
            var members: [(String, JSONValue)] = [
                ("success", .integer(accepted)), ("failure", .integer(failed.count)),
            ]
            if !failed.isEmpty { members.append(("failed_registration_ids", .array(failed.map { .string($0) }))) }
            return acknowledgement(downstream, members)
        case .failed(let code, let detail):
            let error = CCSErrorCode(code)
            let description = description(of: error, code, detail: detail, recipient: recipient)
            return refusal(of: downstream.messageID, recipient: recipient, error, description: description)
        }
    }

    private static func acknowledgement(_ downstream: CCSDownstream, _ more: [(String, JSONValue)]) -> XMLElement {
        GCMElement.message(
            JSONObject(
                [
                    ("from", .string(downstream.message.recipient)), ("message_id", .string(downstream.messageID)),
                    ("message_type", "ack"),
                ] + more))
    }

    static func refusal(
        of messageID: String, recipient: String, _ code: CCSErrorCode, description: String
    ) -> XMLElement {
        GCMElement.message([
            "message_type": "nack", "message_id": .string(messageID), "from": .string(recipient),
            "error": .string(code.rawValue), "error_description": .string(description),
        ])
    }

    private static func description(
        of error: CCSErrorCode, _ code: LegacyErrorCode, detail: String, recipient: String
    ) -> String {
        switch error {
        case .badRegistration: "Invalid token on 'to' field: \(recipient.prefix(maximumEchoedCharacters))"
        case .deviceMessageRateExceeded: "Downstream message rate exceeded for this registration id"
        case .invalidJSON: detail.isEmpty ? code.rawValue : "\(code.rawValue): \(detail)"
        default: detail
        }
    }

    /// What to do about a stanza that nothing can be made of: it comes back with the reason.
    static func malformed(_ message: XMLElement, _ text: String, jid: String) -> XMLElement {
        let error = XMLElement(
            "error", in: XMPPNamespace.client,
            attributes: [XMLAttribute("code", "400"), XMLAttribute("type", "modify")],
            children: [
                XMLElement("bad-request", in: XMPPNamespace.stanzaErrors),
                XMLElement("text", in: XMPPNamespace.stanzaErrors, text: text),
            ])
        let echo = message.children.filter { $0.isNamed("gcm", in: GCMElement.namespace) }.prefix(1)
        return XMLElement(
            "message", in: XMPPNamespace.client,
            attributes: [
                XMLAttribute("id", message[attribute: "id"] ?? ""), XMLAttribute("type", "error"),
                XMLAttribute("to", jid),
            ], children: echo + [error])
    }

    /// Tells the app server to go on with a new connection.
    static var connectionDraining: XMLElement {
        GCMElement.message([
            "message_type": "control", "control_type": .string(CCSErrorCode.connectionDraining.rawValue),
        ])
    }
}
