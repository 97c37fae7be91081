import HTTP2Wire
import HTTPSemantics

/// libFuzzer calls this with every input it invents; a trap or a failed check is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// A server session takes any bytes after the preface, in pieces of the size that the first byte says, and its output
/// ends.
private func check(_ input: [UInt8]) {
    guard let first = input.first else { return }
    var configuration = HTTP2ServerConfiguration()
    configuration.settings.maximumConcurrentStreams = Int(first & 7)
    configuration.settings.maximumHeaderListBytes = 1_000
    configuration.flowControl = first & 8 == 0 ? .automatic : .manual
    configuration.recordsRawFields = true
    let session = HTTP2ServerSession(configuration)
    let bytes = HTTP2Preface.bytes + input.dropFirst()
    let pieceBytes = Int(first >> 4) * 5 + 1
    var offset = 0
    while offset < bytes.count {
        let end = min(offset + pieceBytes, bytes.count)
        answer(bytes[offset..<end].withUnsafeBytes { session.receive($0) }, on: session)
        offset = end
    }
}

private func answer(_ events: [HTTP2ServerEvent], on session: HTTP2ServerSession) {
    for event in events {
        switch event {
        case .request(let request):
            let body = [UInt8](repeating: 1, count: Int(request.stream) % 100)
            try? session.submitResponse(
                stream: request.stream, status: 200, fields: request.head.fields, body: body,
                thenResets: !request.endStream)
        case .data(let stream, let bytes, _): try? session.consume(stream: stream, bytes: bytes.count)
        default: break
        }
    }
    var output: [UInt8] = []
    session.drainOutput(into: &output, maximum: 1 << 20)
    precondition(output.count <= 1 << 20, "more output than asked for")
}
