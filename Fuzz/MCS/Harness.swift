import MCSWire

/// libFuzzer calls this with every input it invents; a trap or a failed check is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// A stream reads the same whole and byte by byte, and what was read can be written and read again.
private func check(_ input: [UInt8]) {
    let whole = read([input])
    precondition(whole == read(input.map { [$0] }))
    for element in whole {
        guard case .packet(let packet) = element, !packet.frame.isEmpty else { continue }
        precondition(read([[41] + packet.frame], limit: 1 << 20).last == element)
    }
}

private func read(_ pieces: [[UInt8]], limit: Int = 4_096) -> [MCSFrameReader.Element] {
    var reader = MCSFrameReader(maximumPayloadBytes: limit)
    var elements: [MCSFrameReader.Element] = []
    for piece in pieces {
        reader.receive(piece)
        do {
            while let element = try reader.next() { elements.append(element) }
        } catch {
            return elements
        }
    }
    return elements
}
