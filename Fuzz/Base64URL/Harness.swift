import Bytes

/// libFuzzer calls this with every input it invents; a trap or a failed check is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Bytes come back; a text that is read is written without what reading ignores, and means the same.
private func check(_ input: [UInt8]) {
    precondition(Base64URL.decode(Base64URL.encode(input)) == input, "not what was encoded")
    let text = String(decoding: input, as: UTF8.self)
    guard let bytes = Base64URL.decode(text) else { return }
    precondition(Base64URL.decode(Base64URL.encode(bytes)) == bytes, "writing changes the meaning")
}
