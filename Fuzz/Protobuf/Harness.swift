import ProtobufWire

/// libFuzzer calls this with every input it invents; a trap or a failed check is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Reading any bytes ends in values or an error, also as messages inside messages.
private func check(_ input: [UInt8]) {
    try? skim(ProtobufReader(input))
    try? descend(ProtobufReader(input, maximumDepth: 8))
}

private func skim(_ message: ProtobufReader) throws(ProtobufError) {
    var reader = message
    while try reader.nextTag() != nil {}
}

private func descend(_ message: ProtobufReader) throws(ProtobufError) {
    var reader = message
    while let tag = try reader.nextTag() {
        switch tag.wireType {
        case .varint: _ = try reader.readSInt64()
        case .fixed32: _ = try reader.readFloat()
        case .fixed64: _ = try reader.readDouble()
        case .lengthDelimited where tag.field % 3 == 0: _ = try reader.readString()
        case .lengthDelimited: try? descend(reader.readMessage())
        case .startGroup, .endGroup: try reader.skip()
        }
    }
}
