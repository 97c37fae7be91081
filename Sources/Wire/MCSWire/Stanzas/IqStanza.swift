internal import ProtobufWire

/// A stanza of the channel itself: tag 7. Today only acknowledgements travel in it.
///
/// Source: Chromium `mcs.proto`, `IqStanza`.
public struct IqStanza: Sendable, Equatable {
    public enum Kind: Int32, Sendable {
        case get = 0
        case set = 1
        case result = 2
        case error = 3
    }

    /// Field 2, required; `nil` when absent or none of the four.
    public var kind: Kind? = .set
    /// Field 3, required; empty in today's traffic.
    public var id = ""
    /// Field 4. Empty is absent.
    public var from = ""
    /// Field 5. Empty is absent.
    public var to = ""
    /// Field 6.
    public var error: ErrorInfo?
    /// Field 7.
    public var content: IqExtension?
    /// Field 8. Empty is absent.
    public var persistentID = ""
    /// Field 10.
    public var lastStreamIDReceived: Int32?
    /// Field 11; -1 in old captures.
    public var accountID: Int64?
    /// Field 12.
    public var status: Int64?

    public init() {}

    /// Confirms every packet up to `lastStreamIDReceived`.
    public static func streamAck(lastStreamIDReceived: Int32) -> IqStanza {
        var stanza = IqStanza()
        stanza.content = .streamAck
        stanza.lastStreamIDReceived = lastStreamIDReceived
        return stanza
    }

    /// Confirms messages by their persistent ids.
    public static func selectiveAck(
        _ persistentIDs: [String], lastStreamIDReceived: Int32? = nil
    ) -> IqStanza {
        var stanza = IqStanza()
        stanza.content = .selectiveAck(persistentIDs)
        stanza.lastStreamIDReceived = lastStreamIDReceived
        return stanza
    }
}

extension IqStanza: MCSMessage {
    init(reading reader: inout ProtobufReader) throws(ProtobufError) {
        self.init()
        kind = nil
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 2: kind = Kind(rawValue: try reader.readInt32())
            case 3: id = try reader.readString()
            case 4: from = try reader.readString()
            case 5: to = try reader.readString()
            case 6: error = try reader.read()
            case 7: content = try reader.read()
            case 8: persistentID = try reader.readString()
            case 10: lastStreamIDReceived = try reader.readInt32()
            case 11: accountID = try reader.readInt64()
            case 12: status = try reader.readInt64()
            default: try reader.skip()
            }
        }
    }

    func write(into writer: inout ProtobufWriter) {
        writer.write(kind?.rawValue, field: 2)
        writer.write(id, field: 3)
        writer.write(nonEmpty: from, field: 4)
        writer.write(nonEmpty: to, field: 5)
        writer.write(error, field: 6)
        writer.write(content, field: 7)
        writer.write(nonEmpty: persistentID, field: 8)
        writer.write(lastStreamIDReceived, field: 10)
        writer.write(accountID, field: 11)
        writer.write(status, field: 12)
    }
}
