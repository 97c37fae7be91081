internal import ProtobufWire

/// One message for many devices: the fields that all share, encoded once. Only what differs is written per device,
/// straight into the output. The bytes are those of `MCSPacket.dataMessage`.
public struct DataMessageTemplate: Sendable {
    /// Behind one reference: handed on for each device.
    private final class Fields: Sendable {
        let addresses: [UInt8]
        let content: [UInt8]
        let times: [UInt8]
        let rest: [UInt8]

        init(_ stanza: DataMessageStanza) {
            addresses = Self.encode(stanza.writeAddresses)
            content = Self.encode(stanza.writeContent)
            times = Self.encode(stanza.writeTimes)
            rest = Self.encode(stanza.writeRest)
        }

        private static func encode(_ write: (inout ProtobufWriter) -> Void) -> [UInt8] {
            var writer = ProtobufWriter()
            write(&writer)
            return writer.bytes
        }
    }

    private let fields: Fields

    /// - Parameter stanza: Its category, persistent id, last stream id and queued time are ignored.
    public init(_ stanza: DataMessageStanza) {
        fields = Fields(stanza)
    }

    /// Bytes of the shared fields.
    public var sharedBytes: Int {
        fields.addresses.count + fields.content.count + fields.times.count + fields.rest.count
    }

    /// Appends the frame for one device.
    ///
    /// - Parameters:
    ///   - queued: Seconds that the message waited; absent when `nil`.
    public func append(
        category: String, persistentID: String, lastStreamIDReceived: Int32?, queued: Int32? = nil,
        to output: inout [UInt8]
    ) {
        var length = sharedBytes + Self.size(ofText: category)
        if !persistentID.isEmpty { length += Self.size(ofText: persistentID) }
        if let lastStreamIDReceived { length += 1 + Self.size(of: lastStreamIDReceived) }
        if let queued { length += 2 + Self.size(of: queued) }
        output.append(MCSTag.dataMessage.rawValue)
        Varint.append(UInt64(length), to: &output)
        output += fields.addresses
        Self.append(category, header: 5 << 3 | 2, to: &output)
        output += fields.content
        if !persistentID.isEmpty { Self.append(persistentID, header: 9 << 3 | 2, to: &output) }
        if let lastStreamIDReceived { Self.append(lastStreamIDReceived, header: [11 << 3], to: &output) }
        output += fields.times
        if let queued { Self.append(queued, header: [0x98, 0x01], to: &output) }
        output += fields.rest
    }

    /// A text of a field whose header takes one byte.
    private static func size(ofText text: String) -> Int {
        1 + Varint.size(of: UInt64(text.utf8.count)) + text.utf8.count
    }

    private static func size(of value: Int32) -> Int {
        Varint.size(of: UInt64(bitPattern: Int64(value)))
    }

    private static func append(_ text: String, header: UInt8, to output: inout [UInt8]) {
        output.append(header)
        Varint.append(UInt64(text.utf8.count), to: &output)
        output += text.utf8
    }

    private static func append(_ value: Int32, header: [UInt8], to output: inout [UInt8]) {
        output += header
        Varint.append(UInt64(bitPattern: Int64(value)), to: &output)
    }
}
