/// Writes a message field by field. Default values are the caller's to leave out. Source: protobuf.dev, Encoding.
public struct ProtobufWriter: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public mutating func write(_ value: UInt64, field: Int) {
        writeTag(field, .varint)
        writeVarint(value)
    }

    /// A signed number in two's complement: `int32`, `int64`, `enum`.
    public mutating func write(_ value: Int64, field: Int) {
        write(UInt64(bitPattern: value), field: field)
    }

    public mutating func write(_ value: Bool, field: Int) {
        write(UInt64(value ? 1 : 0), field: field)
    }

    /// A zigzag number: `sint32`, `sint64`.
    public mutating func writeZigZag(_ value: Int64, field: Int) {
        write(UInt64(bitPattern: value << 1 ^ value >> 63), field: field)
    }

    public mutating func writeFixed64(_ value: UInt64, field: Int) {
        writeTag(field, .fixed64)
        writeLittleEndian(value)
    }

    public mutating func writeFixed32(_ value: UInt32, field: Int) {
        writeTag(field, .fixed32)
        writeLittleEndian(value)
    }

    public mutating func write(_ value: Double, field: Int) {
        writeFixed64(value.bitPattern, field: field)
    }

    public mutating func write(_ value: Float, field: Int) {
        writeFixed32(value.bitPattern, field: field)
    }

    public mutating func write(_ text: String, field: Int) {
        write(bytes: text.utf8, field: field)
    }

    public mutating func write(bytes value: some Collection<UInt8>, field: Int) {
        writeTag(field, .lengthDelimited)
        writeVarint(UInt64(value.count))
        bytes += value
    }

    /// A message inside this one.
    public mutating func write(message: ProtobufWriter, field: Int) {
        write(bytes: message.bytes, field: field)
    }

    /// A bare varint, as it stands before a message in a stream.
    public mutating func writeVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private mutating func writeTag(_ field: Int, _ wireType: ProtobufWireType) {
        writeVarint(UInt64(truncatingIfNeeded: field) << 3 | UInt64(wireType.rawValue))
    }

    private mutating func writeLittleEndian(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }
}
