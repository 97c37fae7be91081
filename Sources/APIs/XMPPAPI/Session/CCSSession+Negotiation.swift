import PushModel
import XMPPWire

/// From the first stream to the bound resource. Source: RFC 6120 §6, §7; RFC 3921 §3.
extension CCSSession {
    /// An access token may stand in the place of the server key, in either mechanism.
    private static let mechanisms = ["X-OAUTH2", "PLAIN"]
    private static let maximumResourceBytes = 256

    var features: XMLElement {
        let children: [XMLElement]
        switch stage {
        case .anonymous:
            let mechanisms = Self.mechanisms.map { XMLElement("mechanism", in: XMPPNamespace.sasl, text: $0) }
            children = [XMLElement("mechanisms", in: XMPPNamespace.sasl, children: mechanisms)]
        case .authenticated, .bound:
            children = [
                XMLElement("bind", in: XMPPNamespace.bind), XMLElement("session", in: XMPPNamespace.session),
            ]
        }
        return XMLElement("features", in: XMPPNamespace.streams, children: children)
    }

    // MARK: SASL

    mutating func negotiate(_ element: XMLElement, failures: Int, awaitsResponse: Bool) -> [CCSAction] {
        guard element.namespace == XMPPNamespace.sasl else {
            return end(with: XMPPStreamError(.notAuthorized, "authenticate first"))
        }
        switch element.name {
        case "auth":
            guard let mechanism = element[attribute: "mechanism"], Self.mechanisms.contains(mechanism) else {
                return fail("invalid-mechanism", failures)
            }
            if element.text.isEmpty {
                stage = .anonymous(failures: failures, awaitsResponse: true)
                return [.send(XMLElement("challenge", in: XMPPNamespace.sasl))]
            }
            return authenticate(element.text, failures)
        case "response" where awaitsResponse: return authenticate(element.text, failures)
        case "abort": return fail("aborted", failures)
        default: return fail("malformed-request", failures)
        }
    }

    private mutating func authenticate(_ text: String, _ failures: Int) -> [CCSAction] {
        guard let credentials = CCSCredentials(base64: text), let project = services.authenticate(credentials) else {
            return fail("not-authorized", failures)
        }
        stage = .authenticated(project)
        restart()
        return [.send(XMLElement("success", in: XMPPNamespace.sasl)), .restart]
    }

    private mutating func fail(_ condition: String, _ failures: Int) -> [CCSAction] {
        stage = .anonymous(failures: failures + 1, awaitsResponse: false)
        let failure = XMLElement(
            "failure", in: XMPPNamespace.sasl, children: [XMLElement(condition, in: XMPPNamespace.sasl)])
        guard failures + 1 >= services.maximumFailures else { return [.send(failure)] }
        return [.send(failure)] + end(with: XMPPStreamError(.policyViolation, "too many failed attempts"))
    }

    // MARK: Binding

    mutating func bind(_ element: XMLElement, _ project: Project) -> [CCSAction] {
        guard element.isNamed("iq", in: XMPPNamespace.client) else {
            return end(with: XMPPStreamError(.notAuthorized, "bind a resource first"))
        }
        guard element[attribute: "type"] == "set", let bind = element.child("bind", in: XMPPNamespace.bind) else {
            return answer(iq: element)
        }
        guard services.admit(project.number) else {
            return [.send(refusal(of: element, "wait", "resource-constraint"))]
        }
        let wanted = bind.child("resource", in: XMPPNamespace.bind)?.text ?? ""
        let resource = wanted.isEmpty || wanted.utf8.count > Self.maximumResourceBytes ? services.newID() : wanted
        let jid = "\(project.number)@\(host)/\(resource)"
        stage = .bound(project, jid: jid)
        let bound = XMLElement(
            "bind", in: XMPPNamespace.bind, children: [XMLElement("jid", in: XMPPNamespace.bind, text: jid)])
        return [.send(result(of: element, [bound])), .bound(project)]
    }

    // MARK: Questions

    /// Pings and the session's beginning have a result; there are no contacts, and nothing else is served.
    func answer(iq: XMLElement) -> [CCSAction] {
        guard let type = iq[attribute: "type"], type == "get" || type == "set" else { return [] }
        let question = iq.children.first
        switch (type, question?.namespace, question?.name) {
        case ("get", XMPPNamespace.ping, "ping"), ("set", XMPPNamespace.session, "session"):
            return [.send(result(of: iq))]
        case ("get", XMPPNamespace.roster, "query"):
            return [.send(result(of: iq, [XMLElement("query", in: XMPPNamespace.roster)]))]
        case ("set", XMPPNamespace.bind, "bind"):
            return [.send(refusal(of: iq, "cancel", "not-allowed"))]
        default: return [.send(refusal(of: iq, "cancel", "service-unavailable"))]
        }
    }

    private func result(of iq: XMLElement, _ children: [XMLElement] = []) -> XMLElement {
        XMLElement("iq", in: XMPPNamespace.client, attributes: attributes(of: iq, "result"), children: children)
    }

    private func refusal(of iq: XMLElement, _ type: String, _ condition: String) -> XMLElement {
        let error = XMLElement(
            "error", in: XMPPNamespace.client, attributes: [XMLAttribute("type", type)],
            children: [XMLElement(condition, in: XMPPNamespace.stanzaErrors)])
        return XMLElement("iq", in: XMPPNamespace.client, attributes: attributes(of: iq, "error"), children: [error])
    }

    /// An answer comes from whom was asked. Source: RFC 6120 §8.2.3.
    private func attributes(of iq: XMLElement, _ type: String) -> [XMLAttribute] {
        var attributes = [XMLAttribute("type", type)]
        for (name, value) in [
            ("id", iq[attribute: "id"]), ("from", iq[attribute: "to"]), ("to", iq[attribute: "from"]),
        ] {
            if let value { attributes.append(XMLAttribute(name, value)) }
        }
        return attributes
    }
}
