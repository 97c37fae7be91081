import PropertyTesting
import Testing
import XMPPWire

@Suite struct `XMPP streams that are refused` {
    typealias Row = (name: String, text: String, condition: XMPPStreamError.Condition)

    static let beginnings: [Row] = [
        ("HTTP", "GET / HTTP/1.1\r\n\r\n", .notWellFormed),
        ("binary", "\u{1}\u{2}\u{3}", .notWellFormed),
        ("another root", "<html xmlns='http://etherx.jabber.org/streams'>", .badFormat),
        ("no namespace", "<stream xmlns='jabber:client'>", .invalidNamespace),
        ("a wrong namespace", "<s:stream xmlns:s='http://example.com'>", .invalidNamespace),
        ("an undeclared prefix", "<stream:stream xmlns='jabber:client'>", .badNamespacePrefix),
        ("a repeated attribute", "<stream to='a' to='b'>", .notWellFormed),
        ("an attribute without value", "<stream to>", .notWellFormed),
        ("a document type", "<!DOCTYPE stream><stream/>", .restrictedXML),
        (
            "a billion laughs",
            "<!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]><stream>&b;</stream>",
            .restrictedXML
        ),
        ("an external entity", "<!DOCTYPE l [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><l>&a;</l>", .restrictedXML),
        ("an external subset", "<!DOCTYPE l SYSTEM 'http://example.com/x.dtd'><l/>", .restrictedXML),
        ("a comment", "<!-- x --><stream/>", .restrictedXML),
        ("a processing instruction", "<?php x ?><stream/>", .restrictedXML),
        ("Latin-1", "<?xml version='1.0' encoding='ISO-8859-1'?><stream/>", .unsupportedEncoding),
        ("UTF-16 in the declaration", "<?xml version='1.0' encoding='UTF-16'?><stream/>", .unsupportedEncoding),
        ("a declaration without version", "<?xml encoding='utf-8'?>", .notWellFormed),
        ("a tag without end", "<stream " + String(repeating: "a", count: 5_000), .policyViolation),
        (
            "a long header",
            "<stream:stream xmlns:stream='http://etherx.jabber.org/streams' to='" + String(repeating: "a", count: 5_000)
                + "'>", .policyViolation
        ),
        (
            "many attributes",
            "<stream:stream xmlns:stream='http://etherx.jabber.org/streams'"
                + (0..<33).map { " a\($0)=''" }.joined() + ">", .policyViolation
        ),
    ]

    @Test(arguments: beginnings.indices) func `for their beginning`(row: Int) {
        let row = Self.beginnings[row]
        #expect(Streams.events(of: row.text).map(\.condition) == [row.condition], "\(row.name)")
        let pieces = Streams.events(of: Array(row.text.utf8).map { [$0] })
        #expect(pieces.map(\.condition) == [row.condition], "\(row.name), byte by byte")
    }

    static let contents: [Row] = [
        ("a raw ampersand, XMP-09", "<message>Fish & chips</message>", .notWellFormed),
        ("a raw less-than sign", "<message>1 < 2</message>", .notWellFormed),
        ("the wrong closing tag", "<message></iq>", .notWellFormed),
        ("a closing tag too many", "</message>", .notWellFormed),
        ("an attribute twice", "<message id='1' id='2'/>", .notWellFormed),
        ("the end of CDATA in text", "<message>]]></message>", .notWellFormed),
        ("a control character", "<message>\u{1}</message>", .notWellFormed),
        ("a reference to a control character", "<message>&#1;</message>", .notWellFormed),
        ("a reference to a surrogate", "<message>&#xD800;</message>", .notWellFormed),
        ("an undeclared prefix", "<message><data:gcm/></message>", .badNamespacePrefix),
        ("an unknown entity", "<message>&nbsp;</message>", .restrictedXML),
        ("a comment", "<message><!-- x --></message>", .restrictedXML),
        ("a comment between stanzas", "<!-- x -->", .restrictedXML),
        ("a processing instruction", "<message><?x y?></message>", .restrictedXML),
        ("a document type", "<!DOCTYPE x>", .notWellFormed),
        ("text between stanzas", "<message/>hello", .badFormat),
        ("CDATA between stanzas", "<![CDATA[hello]]>", .badFormat),
        ("depth", String(repeating: "<a>", count: 17), .policyViolation),
        ("many elements", "<a>" + String(repeating: "<b/>", count: 256), .policyViolation),
        ("many attributes", "<a " + (0..<33).map { "a\($0)='' " }.joined() + "/>", .policyViolation),
        ("a long tag", "<a b='" + String(repeating: ">", count: 5_000) + "'/>", .policyViolation),
        ("a long name", "<" + String(repeating: "a", count: 5_000), .policyViolation),
        ("a large stanza", "<a>" + String(repeating: "b", count: 70_000), .policyViolation),
        (
            "a large stanza in small pieces",
            "<a>" + String(repeating: "<b>" + String(repeating: "c", count: 1_000) + "</b>", count: 66),
            .policyViolation
        ),
    ]

    @Test(arguments: contents.indices) func `for their content`(row: Int) {
        let row = Self.contents[row]
        let text = Streams.opening + "<iq/>" + row.text
        #expect(Streams.events(of: text).last?.condition == row.condition, "\(row.name)")
        let pieces = Streams.events(of: Array(text.utf8).map { [$0] })
        #expect(pieces.last?.condition == row.condition, "\(row.name), byte by byte")
        #expect(pieces.first { $0.stanza?.name == "iq" } != nil, "\(row.name)")
    }

    static let encodings: [(name: String, bytes: [UInt8])] = [
        ("UTF-16, big end first, with mark", [0xFE, 0xFF, 0, 0x3C, 0, 0x61]),
        ("UTF-16, little end first, with mark", [0xFF, 0xFE, 0x3C, 0, 0x61, 0]),
        ("UTF-16, big end first", [0, 0x3C, 0, 0x61]),
        ("UTF-16, little end first", [0x3C, 0, 0x61, 0]),
        ("UTF-32", [0, 0, 0, 0x3C]),
    ]

    @Test(arguments: encodings.indices) func `for their encoding`(row: Int) {
        let row = Self.encodings[row]
        #expect(Streams.events(of: [row.bytes]).map(\.condition) == [.unsupportedEncoding], "\(row.name)")
        #expect(Streams.events(of: row.bytes.map { [$0] }).map(\.condition) == [.unsupportedEncoding], "\(row.name)")
    }

    @Test(
        arguments: [[0xC3, 0x28], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xEF, 0xBF, 0xBF]]
            as [[UInt8]])
    func `for bytes that are no UTF-8`(bytes: [UInt8]) {
        let text = Array((Streams.opening + "<message>").utf8) + bytes + Array("</message>".utf8)
        #expect(Streams.events(of: [text]).last?.condition == .notWellFormed)
    }

    @Test func `at the limits and not before`() {
        var limits = XMPPLimits()
        limits.stanzaBytes = 100
        let frame = "<a></a>".utf8.count
        let fitting = "<a>" + String(repeating: "b", count: 100 - frame) + "</a>"
        #expect(Streams.inside(" " + fitting + " " + fitting, limits: limits).compactMap(\.stanza).count == 2)
        let larger = "<a>" + String(repeating: "b", count: 101 - frame) + "</a>"
        #expect(Streams.inside(larger, limits: limits).map(\.condition) == [.policyViolation])
        let deep = String(repeating: "<a>", count: 16) + String(repeating: "</a>", count: 16)
        #expect(Streams.inside(deep).first?.stanza != nil)
        let many = "<a>" + String(repeating: "<b/>", count: 255) + "</a>"
        #expect(Streams.inside(many).first?.stanza?.children.count == 255)
    }

    @Test func `tell nothing more after the failure`() {
        let reader = XMPPStreamReader()
        Array("x<message/>".utf8).withUnsafeBytes { reader.receive($0) }
        #expect(reader.nextEvent()?.condition == .notWellFormed)
        Array(Streams.opening.utf8).withUnsafeBytes { reader.receive($0) }
        reader.restart()
        #expect(reader.nextEvent() == nil)
        #expect(reader.unreadBytes == 0)
    }

    @Test func `give back the same whatever is in them, however they are split`() {
        var generator = SeededGenerator(seed: 41)
        let alphabet = Array("<>&;'\"/=!?[]: x\u{0}\u{1}".utf8) + [0xC3, 0xFF]
        let original = Array(Streams.conversation.utf8)
        for _ in 0..<3_000 {
            let bytes = generator.mutate(original, alphabet: alphabet)
            let whole = Streams.events(of: [bytes])
            #expect(Streams.events(of: generator.pieces(of: bytes, longest: 40)) == whole)
            #expect(whole.dropLast().allSatisfy { $0.condition == nil && $0 != .ended })
        }
    }
}
