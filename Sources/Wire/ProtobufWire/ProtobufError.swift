/// Why bytes are not a protobuf message, or not one that a field can be read from.
public enum ProtobufError: Error, Equatable, Sendable {
    case truncated
    /// More than ten bytes, or more than 64 bits.
    case badVarint
    /// Field number 0, or one above 2^29 - 1.
    case badFieldNumber
    /// A wire type that does not exist, or a group that ends without having begun or never ends.
    case badWireType
    /// The field has another wire type than the one that is read.
    case unexpectedWireType(ProtobufWireType)
    case invalidUTF8
    case nestedTooDeeply
}
