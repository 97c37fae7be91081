import Bytes
import JSON
import ProtobufWire
import PushModel

/// What a device sends at check-in, as far as the service needs it.
///
/// Source: Chromium `checkin.proto` (`AndroidCheckinRequest`), and the JSON form of the Apple SDK.
struct CheckInRequest: Equatable {
    var androidID: UInt64 = 0
    var securityToken: UInt64 = 0
    var locale = DeviceLocale()

    /// `nil` for a device that has no identity yet: a client may send zeros or leave the fields out.
    var claimed: DeviceCredentials? {
        guard androidID != 0, securityToken != 0 else { return nil }
        return DeviceCredentials(androidID: androidID, securityToken: securityToken)
    }

    /// Reads the protobuf form. Unknown fields are skipped.
    /// - Throws: `ProtobufError` when the bytes are no message.
    static func protobuf(_ body: [UInt8]) throws(ProtobufError) -> CheckInRequest {
        var request = CheckInRequest()
        var locale: String?
        var timeZone: String?
        var reader = ProtobufReader(body)
        while let tag = try reader.nextTag() {
            switch (tag.field, tag.wireType) {
            case (2, .varint): request.androidID = try reader.readUInt64()
            case (13, .fixed64): request.securityToken = try reader.readFixed64()
            case (6, .lengthDelimited): locale = String(decoding: try reader.readBytes(), as: UTF8.self)
            case (12, .lengthDelimited): timeZone = String(decoding: try reader.readBytes(), as: UTF8.self)
            default: try reader.skip()
            }
        }
        request.locale = DeviceLocale(locale: locale, timeZone: timeZone)
        return request
    }

    /// Reads the JSON form. `nil` when the body is no JSON object or an id is no integer.
    static func json(_ body: [UInt8]) -> CheckInRequest? {
        guard let object = (try? JSONValue(parsing: body))?.object,
            let id = identifier(object["id"]), let token = identifier(object["security_token"])
        else { return nil }
        let locale = DeviceLocale(
            locale: object["locale"]?.string, timeZone: object[firstOf: "time_zone", "timezone"]?.string)
        return CheckInRequest(androidID: id, securityToken: token, locale: locale)
    }

    /// An integer, signed or not, as a number or as text; absent and `null` are 0.
    private static func identifier(_ value: JSONValue?) -> UInt64? {
        switch value {
        case nil, .null: 0
        case .number(let number): number.uint64 ?? number.int64.map { UInt64(bitPattern: $0) }
        case .string(let text): UInt64(text) ?? Int64(text).map { UInt64(bitPattern: $0) }
        default: nil
        }
    }
}
