/// How a value lies on the wire. Source: protobuf.dev, Encoding, "Message Structure".
public enum ProtobufWireType: UInt8, Sendable, Equatable {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case startGroup = 3
    case endGroup = 4
    case fixed32 = 5
}

/// Field number and wire type, as they stand before each value.
public struct ProtobufTag: Sendable, Equatable {
    /// 1 to 536,870,911.
    public var field: Int
    public var wireType: ProtobufWireType

    public init(field: Int, wireType: ProtobufWireType) {
        self.field = field
        self.wireType = wireType
    }
}
