import XMPPWire

/// What tests need to read streams.
enum Streams {
    static let opening =
        "<?xml version='1.0'?><stream:stream to='gcm.googleapis.com' version='1.0' xmlns='jabber:client' "
        + "xmlns:stream='http://etherx.jabber.org/streams'>"

    /// All events of the bytes, which arrive in these pieces.
    static func events(of pieces: [[UInt8]], limits: XMPPLimits = XMPPLimits()) -> [XMPPStreamEvent] {
        let reader = XMPPStreamReader(limits: limits)
        var events: [XMPPStreamEvent] = []
        for piece in pieces {
            piece.withUnsafeBytes { reader.receive($0) }
            while let event = reader.nextEvent() { events.append(event) }
        }
        return events
    }

    static func events(of text: String, limits: XMPPLimits = XMPPLimits()) -> [XMPPStreamEvent] {
        events(of: [Array(text.utf8)], limits: limits)
    }

    /// The events after the opening tag, which is put in front.
    static func inside(_ text: String, limits: XMPPLimits = XMPPLimits()) -> [XMPPStreamEvent] {
        Array(events(of: opening + text, limits: limits).dropFirst())
    }

    /// A pair of messages whose texts have every kind of difficulty.
    static let conversation =
        opening
        + " \n<message id=''><gcm xmlns='google:mobile:data'>{\"a\":\"Fish &amp; chips &#x1F600;\"}</gcm></message> "
        + "<m:message xmlns:m='jabber:client' id='2'><d:gcm xmlns:d='google:mobile:data'><![CDATA[<😀>]] & é]]>\r\n]]&gt;"
        + "</d:gcm></m:message><iq type=\"get\" id=\"a>b\"><ping xmlns='urn:xmpp:ping'/></iq><presence/></stream:stream>"
}

extension XMPPStreamEvent {
    var stanza: XMLElement? {
        if case .stanza(let element) = self { element } else { nil }
    }

    var condition: XMPPStreamError.Condition? {
        if case .failed(let error) = self { error.condition } else { nil }
    }
}
