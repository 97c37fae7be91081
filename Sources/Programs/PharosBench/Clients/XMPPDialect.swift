import Bytes
import JSON
import XMPPWire

/// A client of XMPP with SASL PLAIN: an app server, which acknowledges each message of an app, or a user who writes to
/// another one.
final class XMPPDialect: ClientDialect {
    private static let dataNamespace = "google:mobile:data"

    private let domain: String
    private let user: String
    private let password: String
    /// To whom a user writes.
    private let peer: String
    private let reader = XMPPStreamReader()
    private var isAuthenticated = false
    private var writer = XMLWriter()

    init(domain: String, user: String, password: String, peer: String = "") {
        self.domain = domain
        self.user = user
        self.password = password
        self.peer = peer
    }

    func begin(into output: inout [UInt8]) {
        writer.write(
            XMPPStreamHeader(
                attributes: [XMLAttribute("to", domain), XMLAttribute("version", "1.0")],
                defaultNamespace: XMPPNamespace.client))
        take(into: &output)
    }

    func receive(
        _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws(BenchFailure) -> ClientProgress {
        var progress = ClientProgress()
        reader.receive(bytes)
        while let event = reader.nextEvent() {
            switch event {
            case .opened: break
            case .stanza(let element): try read(element, &progress, into: &output)
            case .ended, .failed: throw .failed("An XMPP stream ended: \(event)")
            }
        }
        take(into: &output)
        return progress
    }

    private func read(
        _ element: XMLElement, _ progress: inout ClientProgress, into output: inout [UInt8]
    ) throws(BenchFailure) {
        switch element.name {
        case "features": negotiate()
        case "success":
            isAuthenticated = true
            reader.restart()
            begin(into: &output)
        case "failure", "error": throw .failed("XMPP: \(element)")
        case "iq": progress.isReady = element[attribute: "id"] == "bind"
        case "message" where element[attribute: "type"] == "error": throw .failed("XMPP: \(element)")
        case "message":
            progress.messages += 1
            if let name = try name(of: element) { progress.names.append(name) }
        default: break
        }
    }

    private func negotiate() {
        if isAuthenticated {
            let resource = XMLElement("resource", in: XMPPNamespace.bind, text: "bench")
            writer.write(
                XMLElement(
                    "iq", in: XMPPNamespace.client,
                    attributes: [XMLAttribute("id", "bind"), XMLAttribute("type", "set")],
                    children: [XMLElement("bind", in: XMPPNamespace.bind, children: [resource])]))
        } else {
            writer.write(
                XMLElement(
                    "auth", in: XMPPNamespace.sasl, attributes: [XMLAttribute("mechanism", "PLAIN")],
                    text: Base64.encode([0] + Array(user.utf8) + [0] + Array(password.utf8))))
        }
    }

    /// The name that the sender gave to a message. A message of an app is acknowledged.
    private func name(of message: XMLElement) throws(BenchFailure) -> String? {
        guard let content = message.child("gcm", in: Self.dataNamespace) else { return message[attribute: "id"] }
        guard let object = (try? JSONValue(parsing: content.text))?.object, let name = object["message_id"]?.string,
            let from = object["from"]?.string
        else { throw .failed("A message of an app is no JSON: \(content.text)") }
        let answer: JSONObject = [
            "to": .string(from), "message_id": .string(name), "message_type": "ack",
        ]
        let text = String(decoding: answer.encoded, as: UTF8.self)
        writer.write(
            XMLElement(
                "message", in: XMPPNamespace.client,
                children: [XMLElement("gcm", in: Self.dataNamespace, text: text)]))
        return name
    }

    func send(_ name: String, bytes: Int, into output: inout [UInt8]) {
        writer.write(
            XMLElement(
                "message", in: XMPPNamespace.client,
                attributes: [XMLAttribute("id", name), XMLAttribute("to", peer), XMLAttribute("type", "chat")],
                children: [
                    XMLElement("body", in: XMPPNamespace.client, text: String(repeating: "x", count: bytes))
                ]))
        take(into: &output)
    }

    private func take(into output: inout [UInt8]) {
        output += writer.bytes
        writer = XMLWriter()
    }
}
