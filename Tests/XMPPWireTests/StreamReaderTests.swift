import Testing
import XMPPWire

@Suite struct `XMPP streams` {
    @Test func `begin with a header`() {
        let text =
            "<?xml version='1.0' encoding='utf-8'?>\n<stream:stream from='1@fcm.googleapis.com' to='fcm.googleapis.com' "
            + "version='1.0' xml:lang='en' id='x&quot;' xmlns='jabber:client' "
            + "xmlns:stream='http://etherx.jabber.org/streams'>"
        guard case .opened(let header)? = Streams.events(of: text).first else { return #expect(Bool(false)) }
        #expect(header.to == "fcm.googleapis.com")
        #expect(header.from == "1@fcm.googleapis.com")
        #expect(header.version == "1.0")
        #expect(header.language == "en")
        #expect(header.id == "x\"")
        #expect(header.defaultNamespace == "jabber:client")
    }

    @Test func `may have another prefix, and none`() {
        let prefixed = "<s:stream xmlns:s='http://etherx.jabber.org/streams' xmlns='jabber:client'></s:stream>"
        let bare =
            "<stream xmlns='http://etherx.jabber.org/streams'><message xmlns='jabber:client'/><c:iq "
            + "xmlns:c='jabber:client'/></stream>"
        #expect(Streams.events(of: prefixed).last == .ended)
        #expect(
            Streams.events(of: bare).compactMap(\.stanza) == [
                XMLElement("message", in: XMPPNamespace.client), XMLElement("iq", in: XMPPNamespace.client),
            ])
    }

    @Test func `bring stanzas whose prefixes do not matter`() {
        let events = Streams.inside(
            "<message id='1' type='normal'><data:gcm xmlns:data='google:mobile:data'>{}</data:gcm></message>"
                + "<message id='1' type='normal'><gcm xmlns='google:mobile:data'>{}</gcm></message>")
        let message = XMLElement(
            "message", in: XMPPNamespace.client,
            attributes: [XMLAttribute("id", "1"), XMLAttribute("type", "normal")],
            children: [XMLElement("gcm", in: "google:mobile:data", text: "{}")])
        #expect(events == [.stanza(message), .stanza(message)])
        #expect(message[attribute: "id"] == "1")
        #expect(message[attribute: "to"] == nil)
        #expect(message.child("gcm", in: "google:mobile:data")?.text == "{}")
        #expect(message.child("gcm", in: XMPPNamespace.client) == nil)
    }

    static let texts: [(name: String, written: String, read: String)] = [
        ("predefined entities", "&lt;&gt;&amp;&quot;&apos;", "<>&\"'"),
        ("character references", "&#65;&#x1F600;&#10;&#13;", "A😀\n\r"),
        ("CDATA", "<![CDATA[<a> & &amp; ]]]]><![CDATA[>]]>", "<a> & &amp; ]]>"),
        ("CDATA beside text", "a<![CDATA[b]]>c", "abc"),
        ("line ends", "a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("raw UTF-8", "é 中 😀 e\u{301}", "é 中 😀 e\u{301}"),
        ("text around children", "a<x/>b", "ab"),
        ("nothing", "", ""),
        ("greater-than signs", "a > b >> c", "a > b >> c"),
        ("quotes", "{\"a\":'b'}", "{\"a\":'b'}"),
    ]

    @Test(arguments: texts.indices) func `resolve what is escaped`(row: Int) {
        let row = Self.texts[row]
        let stanzas = Streams.inside("<message>\(row.written)</message>").map(\.stanza)
        #expect(stanzas.map { $0?.text } == [row.read], "\(row.name)")
    }

    @Test func `resolve what is escaped in attributes`() {
        let stanza = Streams.inside("<message id='&#10;&lt;&apos;\t\n\"'/>").first?.stanza
        #expect(stanza?[attribute: "id"] == "\n<'  \"")
    }

    @Test func `end once`() {
        #expect(Streams.inside("</stream:stream><message/>") == [.ended])
        #expect(Streams.inside("</stream:stream>garbage & <") == [.ended])
        #expect(Streams.inside("<message/></stream:stream>").last == .ended)
    }

    @Test func `that are closed at once have a header and an end, XMP-17`() {
        let text =
            "<stream:stream to=\"gcm.googleapis.com\" version=\"1.0\" xmlns=\"jabber:client\" "
            + "xmlns:stream=\"http://etherx.jabber.org/streams\"/>"
        let events = Streams.events(of: text)
        #expect(events.count == 2)
        #expect(events.last == .ended)
    }

    @Test func `allow white space between stanzas without end`() {
        var limits = XMPPLimits()
        limits.stanzaBytes = 100
        let blank = String(repeating: " \n\t\r", count: 5_000)
        #expect(Streams.inside(blank + "<message/>" + blank + "<presence/>", limits: limits).count == 2)
    }

    // MARK: Pieces

    @Test func `read the same however they are split`() {
        let bytes = Array(Streams.conversation.utf8)
        let whole = Streams.events(of: [bytes])
        #expect(whole.count == 6)
        #expect(whole.last == .ended)
        #expect(whole[2].stanza?.child("gcm", in: "google:mobile:data")?.text == "<😀>]] & é\n]]>")
        for place in bytes.indices {
            #expect(Streams.events(of: [Array(bytes[..<place]), Array(bytes[place...])]) == whole)
        }
        #expect(Streams.events(of: bytes.map { [$0] }) == whole)
    }

    @Test func `report a stanza with its last byte`() {
        let bytes = Array((Streams.opening + "<message a='>'><gcm>x</gcm></message>").utf8)
        let reader = XMPPStreamReader()
        for byte in bytes.dropLast() {
            withUnsafeBytes(of: byte) { reader.receive($0) }
            while let event = reader.nextEvent() { #expect(event.stanza == nil) }
        }
        withUnsafeBytes(of: UInt8(ascii: ">")) { reader.receive($0) }
        #expect(reader.nextEvent()?.stanza != nil)
        #expect(reader.unreadBytes == 0)
    }

    @Test func `leave what was not asked for as bytes`() {
        let reader = XMPPStreamReader()
        let rest = "<message id='2'/><message id='3'/>"
        Array((Streams.opening + "<message id='1'/>" + rest).utf8).withUnsafeBytes { reader.receive($0) }
        _ = reader.nextEvent()
        #expect(reader.nextEvent()?.stanza?[attribute: "id"] == "1")
        #expect(reader.unreadBytes == rest.utf8.count)
        #expect(reader.nextEvent()?.stanza?[attribute: "id"] == "2")
        #expect(reader.nextEvent()?.stanza?[attribute: "id"] == "3")
        #expect(reader.nextEvent() == nil)
    }

    @Test func `begin anew on the same connection, with the bytes that came early`() {
        let reader = XMPPStreamReader()
        let text = Streams.opening + "<auth xmlns='\(XMPPNamespace.sasl)'/>" + Streams.opening + "<message/>"
        Array(text.utf8).withUnsafeBytes { reader.receive($0) }
        _ = reader.nextEvent()
        #expect(reader.nextEvent()?.stanza?.name == "auth")
        reader.restart()
        guard case .opened? = reader.nextEvent() else { return #expect(Bool(false)) }
        #expect(reader.nextEvent()?.stanza?.name == "message")
    }

    @Test func `cannot be opened twice without a new beginning`() {
        #expect(Streams.inside("</stream:stream>" + Streams.opening) == [.ended])
        #expect(Streams.inside(Streams.opening).first?.condition == .notWellFormed)
    }
}
