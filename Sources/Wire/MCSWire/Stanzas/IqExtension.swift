internal import ProtobufWire

/// What an `IqStanza` carries. Source: Chromium `mcs.proto`, `Extension`, `SelectiveAck`, `StreamAck`.
public enum IqExtension: Sendable, Equatable {
    /// Extension 12: these messages arrived, by their persistent ids. Empty right after a login.
    case selectiveAck([String])
    /// Extension 13: all packets up to the stanza's `lastStreamIDReceived` arrived.
    case streamAck
    case other(id: Int32, data: [UInt8])
}

extension IqExtension: MCSMessage {
    private static let selectiveAckID: Int32 = 12
    private static let streamAckID: Int32 = 13

    init(reading reader: inout ProtobufReader) throws(ProtobufError) {
        var id: Int32 = 0
        var data: ArraySlice<UInt8> = []
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: id = try reader.readInt32()
            case 2: data = try reader.readBytes()
            default: try reader.skip()
            }
        }
        switch id {
        case Self.selectiveAckID: self = .selectiveAck(try Self.persistentIDs(in: data))
        case Self.streamAckID: self = .streamAck
        default: self = .other(id: id, data: Array(data))
        }
    }

    func write(into writer: inout ProtobufWriter) {
        switch self {
        case .selectiveAck(let ids):
            var list = ProtobufWriter()
            for id in ids { list.write(id, field: 1) }
            writer.write(Int64(Self.selectiveAckID), field: 1)
            writer.write(message: list, field: 2)
        case .streamAck:
            writer.write(Int64(Self.streamAckID), field: 1)
            writer.write(bytes: [], field: 2)
        case .other(let id, let data):
            writer.write(Int64(id), field: 1)
            writer.write(bytes: data, field: 2)
        }
    }

    private static func persistentIDs(in data: ArraySlice<UInt8>) throws(ProtobufError) -> [String] {
        var reader = ProtobufReader(data)
        var ids: [String] = []
        while let tag = try reader.nextTag() {
            if tag.field == 1 { ids.append(try reader.readString()) } else { try reader.skip() }
        }
        return ids
    }
}
