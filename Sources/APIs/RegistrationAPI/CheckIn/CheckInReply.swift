import Bytes
import JSON
import ProtobufWire
import PushModel
import Timekeeping

/// What check-in answers. Settings are left out: clients then keep their own.
struct CheckInReply {
    /// An opaque text that devices send back as `info` when they register.
    static let versionInfo = "pharos-1"

    var device: DeviceCredentials
    var time: Timestamp

    /// `AndroidCheckinResponse`.
    var protobuf: [UInt8] {
        var writer = ProtobufWriter()
        writer.write(true, field: 1)
        writer.write(time.milliseconds, field: 3)
        writer.writeFixed64(device.androidID, field: 7)
        writer.writeFixed64(device.securityToken, field: 8)
        writer.write(Self.versionInfo, field: 11)
        return writer.bytes
    }

    /// The Apple form. The ids are numbers: the SDK takes no text there.
    var json: [UInt8] {
        let reply: JSONValue = [
            "stats_ok": true,
            "time_msec": .integer(time.milliseconds),
            "android_id": .integer(device.androidID),
            "security_token": .integer(device.securityToken),
            "digest": "",
            "version_info": .string(Self.versionInfo),
            "device_data_version_info": "",
            "setting": [],
        ]
        return reply.encoded
    }
}
