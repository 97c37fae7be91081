import PropertyTesting
import Testing
import XMPPWire

@Suite struct `XML writer` {
    private func written(_ element: XMLElement, inside namespace: String = XMPPNamespace.client) -> String {
        var writer = XMLWriter()
        writer.write(element, inside: namespace)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `escapes text and attributes`() {
        let element = XMLElement("a", in: "n", attributes: [XMLAttribute("b", "<\"'&>\t\n\r")], text: "<\"'&>\t\n\r]]>")
        #expect(
            written(element, inside: "n")
                == "<a b=\"&lt;&quot;&apos;&amp;&gt;&#9;&#10;&#13;\">&lt;\"'&amp;&gt;\t\n&#13;]]&gt;</a>")
    }

    @Test(arguments: ["\u{0}", "\u{8}", "\u{B}", "\u{1F}", "\u{FFFE}", "\u{FFFF}"])
    func `replaces characters that XML has no place for`(character: String) {
        #expect(written(XMLElement("a", in: "n", text: "x\(character)y"), inside: "n") == "<a>x\u{FFFD}y</a>")
        let attribute = XMLElement("a", in: "n", attributes: [XMLAttribute("b", character)])
        #expect(written(attribute, inside: "n") == "<a b=\"\u{FFFD}\"/>")
    }

    @Test(arguments: ["\u{7F}", "\u{85}", "\u{D7FF}", "\u{E000}", "\u{FFFD}", "\u{10000}", "\u{10FFFF}", "é", "😀"])
    func `leaves all others`(character: String) {
        #expect(written(XMLElement("a", in: "n", text: character), inside: "n") == "<a>\(character)</a>")
    }

    @Test func `declares a namespace where it changes`() {
        let element = XMLElement(
            "message", in: XMPPNamespace.client,
            children: [
                XMLElement("gcm", in: "google:mobile:data", text: "{}"),
                XMLElement(
                    "x", in: "n", children: [XMLElement("y", in: "n"), XMLElement("z", in: XMPPNamespace.client)]),
            ])
        #expect(
            written(element)
                == "<message><gcm xmlns=\"google:mobile:data\">{}</gcm><x xmlns=\"n\"><y/><z xmlns=\"jabber:client\"/></x></message>"
        )
    }

    @Test func `writes a stream with an error`() {
        var writer = XMLWriter()
        writer.write(
            XMPPStreamHeader(
                attributes: [XMLAttribute("from", "a&b"), XMLAttribute("lang", in: XMPPNamespace.xml, "en")],
                defaultNamespace: XMPPNamespace.client))
        writer.write(XMPPStreamError(.policyViolation, "<no>").element)
        writer.writeStreamEnd()
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == "<?xml version=\"1.0\"?><stream:stream xmlns=\"jabber:client\" "
                + "xmlns:stream=\"http://etherx.jabber.org/streams\" from=\"a&amp;b\" xml:lang=\"en\"><stream:error>"
                + "<policy-violation xmlns=\"urn:ietf:params:xml:ns:xmpp-streams\"/>"
                + "<text xmlns=\"urn:ietf:params:xml:ns:xmpp-streams\">&lt;no&gt;</text></stream:error></stream:stream>"
        )
        #expect(Streams.events(of: [writer.bytes]).last == .ended)
    }

    @Test func `writes what the reader reads back`() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<500 {
            let element = Self.element(depth: 3, &generator)
            var writer = XMLWriter()
            writer.write(element)
            let events = Streams.events(of: [Array(Streams.opening.utf8) + writer.bytes])
            #expect(events.last == .stanza(element))
        }
    }

    private static func element(depth: Int, _ generator: inout SeededGenerator) -> XMLElement {
        let namespaces = [XMPPNamespace.client, XMPPNamespace.streams, "google:mobile:data", "n"]
        var element = XMLElement(
            ["a", "message", "é"].randomElement(using: &generator) ?? "a",
            in: namespaces.randomElement(using: &generator) ?? "n", text: text(&generator))
        for index in 0..<Int.random(in: 0...3, using: &generator) {
            let namespace = ["", XMPPNamespace.xml, "n2"].randomElement(using: &generator) ?? ""
            element.attributes.append(XMLAttribute("a\(index)", in: namespace, text(&generator)))
        }
        guard depth > 0 else { return element }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            element.children.append(Self.element(depth: depth - 1, &generator))
        }
        return element
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let characters: [Character] = ["a", "<", ">", "&", "\"", "'", "]", "\n", "\t", "\r", "é", "😀", "\u{7F}", " "]
        let count = Int.random(in: 0...12, using: &generator)
        return String((0..<count).map { _ in characters.randomElement(using: &generator) ?? "a" })
    }
}
