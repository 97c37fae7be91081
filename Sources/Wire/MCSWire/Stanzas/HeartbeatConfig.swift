internal import ProtobufWire

/// How often a client shall send heartbeats. Source: Chromium `mcs.proto`, `HeartbeatConfig`.
public struct HeartbeatConfig: Sendable, Equatable {
    /// Field 1.
    public var uploadStat: Bool?
    /// Field 2. Empty is absent.
    public var ip: String
    /// Field 3.
    public var intervalMilliseconds: Int32?

    public init(uploadStat: Bool? = nil, ip: String = "", intervalMilliseconds: Int32? = nil) {
        self.uploadStat = uploadStat
        self.ip = ip
        self.intervalMilliseconds = intervalMilliseconds
    }
}

extension HeartbeatConfig: MCSMessage {
    init(reading reader: inout ProtobufReader) throws(ProtobufError) {
        self.init()
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: uploadStat = try reader.readBool()
            case 2: ip = try reader.readString()
            case 3: intervalMilliseconds = try reader.readInt32()
            default: try reader.skip()
            }
        }
    }

    func write(into writer: inout ProtobufWriter) {
        writer.write(uploadStat, field: 1)
        writer.write(nonEmpty: ip, field: 2)
        writer.write(intervalMilliseconds, field: 3)
    }
}
