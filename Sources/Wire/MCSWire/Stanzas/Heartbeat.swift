internal import ProtobufWire

/// A heartbeat, asked or answered: tags 0 and 1. Source: Chromium `mcs.proto`, `HeartbeatPing`, `HeartbeatAck`.
public struct Heartbeat: Sendable, Equatable {
    /// Field 2: how many packets of the other side were read.
    public var lastStreamIDReceived: Int32?
    /// Field 3: an answer repeats it.
    public var status: Int64?
    /// Field 5.
    public var intervalMilliseconds: Int32?

    public init(lastStreamIDReceived: Int32? = nil, status: Int64? = nil, intervalMilliseconds: Int32? = nil) {
        self.lastStreamIDReceived = lastStreamIDReceived
        self.status = status
        self.intervalMilliseconds = intervalMilliseconds
    }
}

extension Heartbeat: MCSMessage {
    init(reading reader: inout ProtobufReader) throws(ProtobufError) {
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 2: lastStreamIDReceived = try reader.readInt32()
            case 3: status = try reader.readInt64()
            case 5: intervalMilliseconds = try reader.readInt32()
            default: try reader.skip()
            }
        }
    }

    func write(into writer: inout ProtobufWriter) {
        writer.write(lastStreamIDReceived, field: 2)
        writer.write(status, field: 3)
        writer.write(intervalMilliseconds, field: 5)
    }
}
