internal import ProtobufWire

/// The first packet of a server: tag 3. An `error`, whatever it says, refuses the login.
///
/// Source: Chromium `mcs.proto`, `LoginResponse`.
public struct LoginResponse: Sendable, Equatable {
    /// Field 1, required: the request's `id`.
    public var id: String
    /// Field 2. Empty is absent.
    public var jid = ""
    /// Field 3: absent on success; some clients fail on any.
    public var error: ErrorInfo?
    /// Field 4.
    public var settings: [Setting] = []
    /// Field 6: 1, as it confirms the request.
    public var lastStreamIDReceived: Int32?
    /// Field 7.
    public var heartbeatConfig: HeartbeatConfig?
    /// Field 8: Unix milliseconds.
    public var serverTimestamp: Int64?

    public init(id: String = "") {
        self.id = id
    }
}

extension LoginResponse: MCSMessage {
    init(reading reader: inout ProtobufReader) throws(ProtobufError) {
        self.init()
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: id = try reader.readString()
            case 2: jid = try reader.readString()
            case 3: error = try reader.read()
            case 4: settings.append(try reader.read())
            case 6: lastStreamIDReceived = try reader.readInt32()
            case 7: heartbeatConfig = try reader.read()
            case 8: serverTimestamp = try reader.readInt64()
            default: try reader.skip()
            }
        }
    }

    func write(into writer: inout ProtobufWriter) {
        writer.write(id, field: 1)
        writer.write(nonEmpty: jid, field: 2)
        writer.write(error, field: 3)
        for setting in settings { writer.write(setting, field: 4) }
        writer.write(lastStreamIDReceived, field: 6)
        writer.write(heartbeatConfig, field: 7)
        writer.write(serverTimestamp, field: 8)
    }
}
