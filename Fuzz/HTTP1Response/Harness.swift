import HTTP1Wire

/// libFuzzer calls this with every input it invents; a trap or a failed check is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// An answer parser comes to an end with any bytes.
private func check(_ input: [UInt8]) {
    for method in ["GET", "HEAD", "CONNECT"] {
        var parser = HTTP1ResponseParser(to: method)
        input.withUnsafeBytes { parser.receive($0) }
        while let event = parser.nextEvent() {
            if event == .end { parser.expectResponse(to: method) }
        }
        _ = parser.receiveEnd()
    }
}
