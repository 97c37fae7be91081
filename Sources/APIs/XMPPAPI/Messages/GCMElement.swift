import JSON
import XMPPWire

/// The element that carries the JSON of the connection server. Source: FCM XMPP protocol.
enum GCMElement {
    static let namespace = "google:mobile:data"

    /// The JSON text inside a message; `nil` when the message carries none.
    static func text(in message: XMLElement) -> String? {
        message.child("gcm", in: namespace)?.text
    }

    /// A stanza of the server: without type, so that every client takes it for a normal message.
    static func message(_ object: JSONObject) -> XMLElement {
        XMLElement(
            "message", in: XMPPNamespace.client,
            children: [XMLElement("gcm", in: namespace, text: JSONValue.object(object).text)])
    }
}
