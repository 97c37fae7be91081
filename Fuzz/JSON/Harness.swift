import JSON

/// libFuzzer calls this with every input it invents; a trap or a failed check is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// A text that is read can be written, and means the same when it is read again.
private func check(_ input: [UInt8]) {
    guard let value = try? JSONValue(parsing: input) else { return }
    let again = try? JSONValue(parsing: value.encoded)
    precondition(again == value, "writing changes the meaning")
}
