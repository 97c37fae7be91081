import HTTP1Wire

/// libFuzzer calls this with every input it invents; a trap or a failed check is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// A request parser gives the same events whether the bytes come at once or in two pieces. The first byte says where.
private func check(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let cut = bytes.count * Int(first) / 256
    for source in [HTTP1RequestParser.Source.connection, .bodyPart] {
        let whole = events(of: [bytes], source)
        let cutUp = events(of: [Array(bytes[..<cut]), Array(bytes[cut...])], source)
        precondition(whole == cutUp, "a cut changes the meaning")
    }
}

private func events(of pieces: [[UInt8]], _ source: HTTP1RequestParser.Source) -> [HTTP1RequestEvent] {
    var parser = HTTP1RequestParser(source: source)
    var events: [HTTP1RequestEvent] = []
    for piece in pieces {
        piece.withUnsafeBytes { parser.receive($0) }
        while let event = parser.nextEvent() {
            if case .body(let more) = event, case .body(let earlier)? = events.last {
                events[events.count - 1] = .body(earlier + more)
            } else {
                events.append(event)
            }
        }
    }
    return events
}
