public import ProtobufWire

/// Why a stream of the device channel cannot be read any further.
public enum MCSError: Error, Equatable, Sendable {
    /// The length is not a varint of at most five bytes.
    case badLength
    /// The payload would be longer than the reader allows.
    case payloadTooLarge(bytes: Int)
    /// The payload is not the message that its tag says.
    case malformed(tag: UInt8, ProtobufError)
}
