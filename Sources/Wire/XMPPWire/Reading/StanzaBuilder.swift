/// Makes stanzas of the tags and texts of one stream, within the limits.
///
/// Input that breaks a rule is remembered as `refusal`; whoever feeds the builder then stops.
final class StanzaBuilder {
    /// Between the namespace and the local part of a name, as expat reports it.
    static let separator: UInt8 = 0x01

    private struct OpenElement {
        var element: XMLElement
        var text: [UInt8] = []
    }

    private let limits: XMPPLimits
    private var events: [XMPPStreamEvent] = []
    private var isOpen = false
    private var defaultNamespace = ""
    private var names = NameReader()
    private var open: [OpenElement] = []
    private var elementCount = 0
    /// Where the stanza began that has not ended yet. Unit: bytes since the stream began.
    private(set) var stanzaStart: Int?
    private(set) var refusal: XMPPStreamError?
    /// The closing tag of the stream was there.
    private(set) var hasEnded = false

    init(limits: XMPPLimits) {
        self.limits = limits
    }

    func takeEvent() -> XMPPStreamEvent? {
        events.isEmpty ? nil : events.removeFirst()
    }

    func fail(_ error: XMPPStreamError) {
        open = []
        events.append(.failed(error))
    }

    func refuse(_ error: XMPPStreamError) {
        if refusal == nil { refusal = error }
    }

    func declare(defaultNamespace uri: UnsafePointer<CChar>?) {
        guard !isOpen, let uri else { return }
        defaultNamespace = String(cString: uri)
    }

    // MARK: Tags

    func start(
        _ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?, at position: Int
    ) {
        guard refusal == nil, !hasEnded else { return }
        guard let list = names.attributes(attributes, atMost: limits.attributes) else {
            return refuse(XMPPStreamError(.policyViolation, "a tag has too many attributes"))
        }
        let (namespace, local) = names.name(name)
        guard isOpen else { return openStream(local, namespace, list) }
        if open.isEmpty {
            stanzaStart = position
            elementCount = 0
        }
        elementCount += 1
        guard open.count < limits.depth, elementCount <= limits.elements else {
            return refuse(XMPPStreamError(.policyViolation, "a stanza has too many elements"))
        }
        open.append(OpenElement(element: XMLElement(local, in: namespace, attributes: list)))
    }

    private func openStream(_ name: String, _ namespace: String, _ attributes: [XMLAttribute]) {
        guard name == "stream" else { return refuse(XMPPStreamError(.badFormat)) }
        guard namespace == XMPPNamespace.streams else { return refuse(XMPPStreamError(.invalidNamespace)) }
        isOpen = true
        events.append(.opened(XMPPStreamHeader(attributes: attributes, defaultNamespace: defaultNamespace)))
    }

    func end(at position: Int) {
        guard refusal == nil, !hasEnded else { return }
        guard var done = open.popLast() else {
            hasEnded = true
            return events.append(.ended)
        }
        done.element.text = String(decoding: done.text, as: UTF8.self)
        guard open.isEmpty else { return open[open.count - 1].element.children.append(done.element) }
        if let start = stanzaStart, position - start > limits.stanzaBytes { return refuse(.stanzaTooLarge) }
        stanzaStart = nil
        events.append(.stanza(done.element))
    }

    // MARK: Text

    func append(_ text: UnsafeBufferPointer<UInt8>) {
        guard refusal == nil, !hasEnded else { return }
        if open.isEmpty {
            let isBlank = text.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
            if !isBlank { refuse(XMPPStreamError(.badFormat, "text between stanzas")) }
        } else {
            open[open.count - 1].text.append(contentsOf: text)
        }
    }
}

extension XMPPStreamError {
    static let stanzaTooLarge = XMPPStreamError(.policyViolation, "a stanza is too large")
}
