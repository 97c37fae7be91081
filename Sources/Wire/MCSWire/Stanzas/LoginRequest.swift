internal import ProtobufWire

/// The first packet of a client: tag 2. Required texts are empty when they were absent.
///
/// Source: Chromium `mcs.proto`, `LoginRequest`.
public struct LoginRequest: Sendable, Equatable {
    /// `auth_service`: the user is an android id, the only kind that exists today.
    public static let androidIDService: Int32 = 2
    /// `domain` of every client.
    public static let usualDomain = "mcs.android.com"

    /// Field 1, required: the client's software; the server repeats it.
    public var id = ""
    /// Field 2, required.
    public var domain = ""
    /// Field 3, required: the android id, decimal.
    public var user = ""
    /// Field 4, required: the android id once more.
    public var resource = ""
    /// Field 5, required: the security token, decimal. A secret.
    public var authToken = ""
    /// Field 6: `android-` and the android id in hexadecimal digits. Empty is absent.
    public var deviceID = ""
    /// Field 7.
    public var lastRMQID: Int64?
    /// Field 8.
    public var settings: [Setting] = []
    /// Field 10: messages that arrived and whose acknowledgement was not confirmed.
    public var receivedPersistentIDs: [String] = []
    /// Field 12.
    public var adaptiveHeartbeat: Bool?
    /// Field 13.
    public var heartbeatStat: HeartbeatStat?
    /// Field 14.
    public var useRMQ2: Bool?
    /// Field 15.
    public var accountID: Int64?
    /// Field 16.
    public var authService: Int32?
    /// Field 17.
    public var networkType: Int32?
    /// Field 18.
    public var status: Int64?

    public init() {}
}

extension LoginRequest: MCSMessage {
    init(reading reader: inout ProtobufReader) throws(ProtobufError) {
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1...6: try readText(tag.field, from: &reader)
            case 7: lastRMQID = try reader.readInt64()
            case 8: settings.append(try reader.read())
            case 10: receivedPersistentIDs.append(try reader.readString())
            case 12: adaptiveHeartbeat = try reader.readBool()
            case 13: heartbeatStat = try reader.read()
            case 14: useRMQ2 = try reader.readBool()
            case 15: accountID = try reader.readInt64()
            case 16: authService = try reader.readInt32()
            case 17: networkType = try reader.readInt32()
            case 18: status = try reader.readInt64()
            default: try reader.skip()
            }
        }
    }

    private mutating func readText(_ field: Int, from reader: inout ProtobufReader) throws(ProtobufError) {
        let text = try reader.readString()
        switch field {
        case 1: id = text
        case 2: domain = text
        case 3: user = text
        case 4: resource = text
        case 5: authToken = text
        default: deviceID = text
        }
    }

    func write(into writer: inout ProtobufWriter) {
        writer.write(id, field: 1)
        writer.write(domain, field: 2)
        writer.write(user, field: 3)
        writer.write(resource, field: 4)
        writer.write(authToken, field: 5)
        writer.write(nonEmpty: deviceID, field: 6)
        writer.write(lastRMQID, field: 7)
        for setting in settings { writer.write(setting, field: 8) }
        for id in receivedPersistentIDs { writer.write(id, field: 10) }
        writer.write(adaptiveHeartbeat, field: 12)
        writer.write(heartbeatStat, field: 13)
        writer.write(useRMQ2, field: 14)
        writer.write(accountID, field: 15)
        writer.write(authService, field: 16)
        writer.write(networkType, field: 17)
        writer.write(status, field: 18)
    }
}
