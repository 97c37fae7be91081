extension XMLWriter {
    /// Writes an element with its children.
    ///
    /// - Parameter namespace: The default namespace where the element will stand, which needs no declaration.
    public mutating func write(_ element: XMLElement, inside namespace: String = XMPPNamespace.client) {
        // Prefixes of the stream's own namespace are known to everybody and declared in its opening tag.
        let isOfStream = element.namespace == XMPPNamespace.streams
        let name = isOfStream ? "stream:" + element.name : element.name
        let inner = isOfStream ? namespace : element.namespace
        write(raw: "<")
        write(raw: name)
        if inner != namespace { write(attribute: "xmlns", inner) }
        write(element.attributes)
        guard !element.text.isEmpty || !element.children.isEmpty else { return write(raw: "/>") }
        write(raw: ">")
        write(text: element.text)
        for child in element.children { write(child, inside: inner) }
        write(raw: "</")
        write(raw: name)
        write(raw: ">")
    }

    private mutating func write(_ attributes: [XMLAttribute]) {
        for (index, attribute) in attributes.enumerated() {
            switch attribute.namespace {
            case "": write(attribute: attribute.name, attribute.value)
            case XMPPNamespace.xml: write(attribute: "xml:" + attribute.name, attribute.value)
            default:
                write(attribute: "xmlns:a\(index)", attribute.namespace)
                write(attribute: "a\(index):" + attribute.name, attribute.value)
            }
        }
    }

    private mutating func write(attribute name: String, _ value: String) {
        write(raw: " ")
        write(raw: name)
        write(raw: "=\"")
        write(attributeValue: value)
        write(raw: "\"")
    }

    /// The opening tag of a stream, with its declaration. Source: RFC 6120 §4.7, §11.5.
    public mutating func write(_ header: XMPPStreamHeader) {
        write(raw: "<?xml version=\"1.0\"?><stream:stream")
        write(attribute: "xmlns", header.defaultNamespace)
        write(attribute: "xmlns:stream", XMPPNamespace.streams)
        write(header.attributes)
        write(raw: ">")
    }

    /// The closing tag of a stream.
    public mutating func writeStreamEnd() {
        write(raw: "</stream:stream>")
    }
}
