internal import ProtobufWire

/// How a client's last heartbeats went. Source: Chromium `mcs.proto`, `HeartbeatStat`.
public struct HeartbeatStat: Sendable, Equatable {
    public var ip: String
    public var timeout: Bool
    public var intervalMilliseconds: Int32

    public init(ip: String = "", timeout: Bool = false, intervalMilliseconds: Int32 = 0) {
        self.ip = ip
        self.timeout = timeout
        self.intervalMilliseconds = intervalMilliseconds
    }
}

extension HeartbeatStat: MCSMessage {
    init(reading reader: inout ProtobufReader) throws(ProtobufError) {
        self.init()
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: ip = try reader.readString()
            case 2: timeout = try reader.readBool()
            case 3: intervalMilliseconds = try reader.readInt32()
            default: try reader.skip()
            }
        }
    }

    func write(into writer: inout ProtobufWriter) {
        writer.write(ip, field: 1)
        writer.write(timeout, field: 2)
        writer.write(Int64(intervalMilliseconds), field: 3)
    }
}
