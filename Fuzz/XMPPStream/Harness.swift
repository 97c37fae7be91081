import XMPPWire

/// libFuzzer calls this with every input it invents; a trap or a failed check is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// The first byte says how long the pieces are; the rest reads the same in pieces and as a whole. What was read can be
/// written, and then reads the same again.
private func check(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let whole = events(of: bytes, pieceBytes: max(1, bytes.count))
    precondition(events(of: bytes, pieceBytes: Int(first) + 1) == whole, "pieces read differently")
    for case .stanza(let stanza) in whole {
        var writer = XMLWriter()
        writer.write(XMPPStreamHeader(attributes: [], defaultNamespace: XMPPNamespace.client))
        writer.write(stanza)
        let again = events(of: writer.bytes, pieceBytes: writer.bytes.count).dropFirst()
        precondition(again.allSatisfy { $0 == .stanza(stanza) || isTooLarge($0) }, "a stanza changed")
    }
}

private func events(of bytes: [UInt8], pieceBytes: Int) -> [XMPPStreamEvent] {
    var limits = XMPPLimits()
    limits.stanzaBytes = 500
    limits.tagBytes = 200
    let reader = XMPPStreamReader(limits: limits)
    var events: [XMPPStreamEvent] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        Array(rest.prefix(pieceBytes)).withUnsafeBytes { reader.receive($0) }
        rest = rest.dropFirst(pieceBytes)
        while let event = reader.nextEvent() { events.append(sameForAllPieces(event)) }
    }
    return events
}

/// What is wrong in two ways may be refused for either, whichever shows first.
private func sameForAllPieces(_ event: XMPPStreamEvent) -> XMPPStreamEvent {
    if case .failed = event { .failed(XMPPStreamError(.policyViolation)) } else { event }
}

/// What is written may be longer than what was read: escapes, declarations.
private func isTooLarge(_ event: XMPPStreamEvent) -> Bool {
    if case .failed(let error) = event { error.condition == .policyViolation } else { false }
}
