/// Reads the fields of one message in the order of the wire. Source: protobuf.dev, Encoding.
///
/// ```swift
/// while let tag = try reader.nextTag() {
///     switch tag.field {
///     case 1: name = try reader.readString()
///     default: try reader.skip()
///     }
/// }
/// ```
/// Every value is read or skipped before the next tag; a value that was left alone is skipped.
public struct ProtobufReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private let depthLeft: Int
    private var pending: ProtobufTag?

    /// - Parameter maximumDepth: Of messages and groups inside each other.
    public init(_ bytes: [UInt8], maximumDepth: Int = 32) {
        self.init(slice: bytes[...], depthLeft: maximumDepth)
    }

    /// - Parameter maximumDepth: Of messages and groups inside each other.
    public init(_ bytes: ArraySlice<UInt8>, maximumDepth: Int = 32) {
        self.init(slice: bytes, depthLeft: maximumDepth)
    }

    private init(slice: ArraySlice<UInt8>, depthLeft: Int) {
        bytes = slice
        position = slice.startIndex
        self.depthLeft = depthLeft
    }

    /// - Returns: `nil` at the end of the message.
    public mutating func nextTag() throws(ProtobufError) -> ProtobufTag? {
        if pending != nil { try skip() }
        guard position < bytes.endIndex else { return nil }
        let tag = try readTag()
        guard tag.wireType != .endGroup else { throw .badWireType }
        pending = tag
        return tag
    }

    /// Passes over the value of the last tag, whatever it is.
    public mutating func skip() throws(ProtobufError) {
        guard let tag = pending else { return }
        pending = nil
        try skipValue(of: tag, depthLeft: depthLeft)
    }

    public mutating func readUInt64() throws(ProtobufError) -> UInt64 {
        try expect(.varint)
        return try varint()
    }

    /// Also reads `enum` values; negative ones take ten bytes.
    public mutating func readInt64() throws(ProtobufError) -> Int64 {
        Int64(bitPattern: try readUInt64())
    }

    /// Bits above the 32nd are dropped, as protobuf wants.
    public mutating func readInt32() throws(ProtobufError) -> Int32 {
        Int32(truncatingIfNeeded: try readUInt64())
    }

    public mutating func readUInt32() throws(ProtobufError) -> UInt32 {
        UInt32(truncatingIfNeeded: try readUInt64())
    }

    public mutating func readBool() throws(ProtobufError) -> Bool {
        try readUInt64() != 0
    }

    /// A zigzag number: `sint32`, `sint64`.
    public mutating func readSInt64() throws(ProtobufError) -> Int64 {
        let value = try readUInt64()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    public mutating func readFixed64() throws(ProtobufError) -> UInt64 {
        try expect(.fixed64)
        return try littleEndian(width: 8)
    }

    public mutating func readFixed32() throws(ProtobufError) -> UInt32 {
        try expect(.fixed32)
        return UInt32(truncatingIfNeeded: try littleEndian(width: 4))
    }

    public mutating func readDouble() throws(ProtobufError) -> Double {
        Double(bitPattern: try readFixed64())
    }

    public mutating func readFloat() throws(ProtobufError) -> Float {
        Float(bitPattern: try readFixed32())
    }

    public mutating func readBytes() throws(ProtobufError) -> ArraySlice<UInt8> {
        try expect(.lengthDelimited)
        return try lengthDelimited()
    }

    public mutating func readString() throws(ProtobufError) -> String {
        guard let text = String(validating: try readBytes(), as: UTF8.self) else { throw .invalidUTF8 }
        return text
    }

    /// A message inside this one.
    public mutating func readMessage() throws(ProtobufError) -> ProtobufReader {
        let content = try readBytes()
        guard depthLeft > 0 else { throw .nestedTooDeeply }
        return ProtobufReader(slice: content, depthLeft: depthLeft - 1)
    }

    private mutating func expect(_ wireType: ProtobufWireType) throws(ProtobufError) {
        guard let tag = pending, tag.wireType == wireType else {
            throw .unexpectedWireType(pending?.wireType ?? .endGroup)
        }
        pending = nil
    }
}

extension ProtobufReader {
    private mutating func readTag() throws(ProtobufError) -> ProtobufTag {
        let value = try varint()
        guard let wireType = ProtobufWireType(rawValue: UInt8(value & 7)) else { throw .badWireType }
        guard (1...536_870_911).contains(value >> 3) else { throw .badFieldNumber }
        return ProtobufTag(field: Int(value >> 3), wireType: wireType)
    }

    private mutating func varint() throws(ProtobufError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard position < bytes.endIndex else { throw .truncated }
            let byte = bytes[position]
            position += 1
            guard shift < 63 || byte <= 1 else { throw .badVarint }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw .badVarint
    }

    private mutating func littleEndian(width: Int) throws(ProtobufError) -> UInt64 {
        try take(width).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func lengthDelimited() throws(ProtobufError) -> ArraySlice<UInt8> {
        guard let length = Int(exactly: try varint()) else { throw .truncated }
        return try take(length)
    }

    private mutating func take(_ count: Int) throws(ProtobufError) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - position else { throw .truncated }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func skipValue(of tag: ProtobufTag, depthLeft: Int) throws(ProtobufError) {
        switch tag.wireType {
        case .varint: _ = try varint()
        case .fixed64: _ = try take(8)
        case .fixed32: _ = try take(4)
        case .lengthDelimited: _ = try lengthDelimited()
        case .startGroup: try skipGroup(tag.field, depthLeft: depthLeft)
        case .endGroup: throw .badWireType
        }
    }

    private mutating func skipGroup(_ field: Int, depthLeft: Int) throws(ProtobufError) {
        guard depthLeft > 0 else { throw .nestedTooDeeply }
        while true {
            let tag = try readTag()
            if tag.wireType == .endGroup {
                guard tag.field == field else { throw .badWireType }
                return
            }
            try skipValue(of: tag, depthLeft: depthLeft - 1)
        }
    }
}
