import CExpat

/// Owns one expat parser and hands what it finds to a `StanzaBuilder`.
///
/// Slices end with a `>` at the latest. A stanza ends with one too, so the parser never holds a byte that follows the
/// stanza it has just reported.
final class StreamParser {
    static let maximumSliceBytes = 4_096

    let builder: StanzaBuilder
    private let parser: XML_Parser?
    private let limits: XMPPLimits
    private var fedBytes = 0
    private var hasFailed = false

    init(limits: XMPPLimits) {
        self.limits = limits
        builder = StanzaBuilder(limits: limits)
        // The separator stands in no XML document, so it cannot be part of a namespace.
        parser = XML_ParserCreateNS("UTF-8", XML_Char(StanzaBuilder.separator))
        guard let parser else { return }
        pharos_report_tokens_at_once(parser)
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        ExpatCallbacks.install(on: parser)
    }

    deinit {
        if let parser { XML_ParserFree(parser) }
    }

    func takeEvent() -> XMPPStreamEvent? {
        builder.takeEvent()
    }

    func parse(_ slice: UnsafeBufferPointer<UInt8>) {
        guard !hasFailed, let base = slice.baseAddress else { return }
        guard let parser else { return fail(XMPPStreamError(.resourceConstraint)) }
        guard isUTF8(slice) else { return fail(XMPPStreamError(.unsupportedEncoding)) }
        fedBytes += slice.count
        let status = base.withMemoryRebound(to: CChar.self, capacity: slice.count) {
            XML_Parse(parser, $0, Int32(clamping: slice.count), 0)
        }
        if status == XML_STATUS_OK {
            checkUnfinished(parser)
        } else if !builder.hasEnded {
            fail(builder.refusal ?? ExpatErrors.streamError(XML_GetErrorCode(parser)))
        }
    }

    /// UTF-16 shows in the first two bytes, with or without a byte order mark; expat would switch to it.
    private func isUTF8(_ slice: UnsafeBufferPointer<UInt8>) -> Bool {
        guard fedBytes < 2 else { return true }
        return !slice.prefix(2 - fedBytes).contains { $0 == 0 || $0 >= 0xFE }
    }

    /// Limits for what has not ended yet; whole tags and stanzas are measured where they end.
    private func checkUnfinished(_ parser: XML_Parser) {
        guard !builder.hasEnded else { return }
        let position = Int(XML_GetCurrentByteIndex(parser))
        if position >= 0, fedBytes - position > limits.tagBytes {
            fail(XMPPStreamError(.policyViolation, "a tag is too long"))
        } else if let start = builder.stanzaStart, fedBytes - start > limits.stanzaBytes {
            fail(.stanzaTooLarge)
        }
    }

    private func fail(_ error: XMPPStreamError) {
        hasFailed = true
        builder.fail(error)
    }

    // MARK: Called by expat

    /// Where the token begins that is being reported, and how long it is. Unit: bytes since the stream began.
    private var token: Range<Int> {
        guard let parser else { return 0..<0 }
        let start = max(0, Int(XML_GetCurrentByteIndex(parser)))
        return start..<start + max(0, Int(XML_GetCurrentByteCount(parser)))
    }

    func started(_ name: UnsafePointer<XML_Char>, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
        let token = token
        if token.count > limits.tagBytes {
            builder.refuse(XMPPStreamError(.policyViolation, "a tag is too long"))
        } else {
            builder.start(name, attributes, at: token.lowerBound)
        }
        stopIfRefused()
    }

    func ended() {
        builder.end(at: token.upperBound)
        stopIfRefused()
    }

    func found(_ text: UnsafeBufferPointer<UInt8>) {
        builder.append(text)
        stopIfRefused()
    }

    func declared(defaultNamespace uri: UnsafePointer<XML_Char>?) {
        builder.declare(defaultNamespace: uri)
    }

    func declared(encoding: UnsafePointer<XML_Char>?) {
        guard let encoding, String(cString: encoding).lowercased() != "utf-8" else { return }
        refuse(XMPPStreamError(.unsupportedEncoding))
    }

    func refuse(_ error: XMPPStreamError) {
        builder.refuse(error)
        stopIfRefused()
    }

    private func stopIfRefused() {
        guard let parser, builder.refusal != nil || builder.hasEnded else { return }
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }
}
