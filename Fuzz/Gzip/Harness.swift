import Compression

/// libFuzzer calls this with every input it invents; a trap or a failed check is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Inflating any bytes keeps to the limit, and what was deflated comes back.
private func check(_ input: [UInt8]) {
    for format in [CompressionFormat.gzip, .zlib] {
        if let output = try? Inflation.inflate(input, format: format, maximumBytes: 10_000) {
            precondition(output.count <= 10_000, "more output than allowed")
        }
    }
    guard input.count < 200 else { return }
    let deflated = Deflation.deflate(input, format: .gzip)
    let inflated = try? Inflation.inflate(deflated, format: .gzip, maximumBytes: input.count)
    precondition(inflated == input, "not what was deflated")
}
