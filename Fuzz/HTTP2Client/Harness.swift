import HTTP2Wire

/// libFuzzer calls this with every input it invents; a trap or a failed check is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// A client session with requests under way takes any bytes, and never loses count of them.
private func check(_ input: [UInt8]) {
    let session = HTTP2ClientSession()
    let fields = [
        HTTP2Field(":method", "POST"), HTTP2Field(":scheme", "https"), HTTP2Field(":authority", "h"),
        HTTP2Field(":path", "/"),
    ]
    for size in [0, 10, 100_000] { _ = try? session.submit(fields: fields, body: [UInt8](repeating: 0, count: size)) }
    var output: [UInt8] = []
    session.drainOutput(into: &output, maximum: 1 << 20)
    _ = input.withUnsafeBytes { session.receive($0) }
    session.drainOutput(into: &output, maximum: 1 << 21)
    precondition((0...100_010).contains(session.unsentBodyBytes), "lost count of the body bytes")
    precondition((0...3).contains(session.activeStreams), "lost count of the streams")
}
