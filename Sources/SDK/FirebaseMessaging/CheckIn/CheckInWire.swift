import FirebasePlatform
import JSON

/// The JSON check-in of Apple devices.
enum CheckInWire {
    static func request(url: String, device: any DeviceFacts, locale: String, previous: CheckIn?) -> WebRequest {
        let body: JSONValue = [
            "checkin": [
                "iosbuild": ["model": .string(device.model), "os_version": .string("IOS_\(device.osVersion)")],
                "type": 2, "user_number": 0,
                "last_checkin_msec": .integer(previous?.lastCheckInMilliseconds ?? 0),
            ],
            "fragment": 0, "locale": .string(locale), "version": 2, "digest": .string(previous?.digest ?? ""),
            "time_zone": .string(device.timeZoneName), "user_serial_number": 0,
            "id": .integer(previous?.credentials.deviceID ?? 0),
            "security_token": .integer(previous?.credentials.secret ?? 0),
        ]
        return WebRequest(
            method: "POST", url: url, headers: [.init("content-type", "application/json")], body: body.encoded)
    }

    /// Only the body counts, whatever the status. Ids are whole numbers up to 64 bits; text that spells one is
    /// taken too.
    ///
    /// - Throws: `MessagingError` 7 when the reply names no device.
    static func checkIn(reply body: [UInt8], nowMilliseconds now: Int64) throws(MessagingError) -> CheckIn {
        let reply = try? JSONValue(parsing: body, options: JSONOptions(maximumDepth: 32, maximumBytes: 1 << 20))
        guard let deviceID = reply?["android_id"].flatMap(number), deviceID != 0,
            let secret = reply?["security_token"].flatMap(number), secret != 0
        else { throw MessagingError(.invalidRequest, reason: "The check-in reply names no device.") }
        var checkIn = CheckIn(
            credentials: CheckInCredentials(deviceID: deviceID, secret: secret),
            lastCheckInMilliseconds: min(reply?["time_msec"]?.int64 ?? now, now))
        checkIn.digest = reply?["digest"]?.string ?? ""
        checkIn.versionInfo = reply?["version_info"]?.string ?? ""
        checkIn.deviceDataVersion = reply?["device_data_version_info"]?.string ?? ""
        for setting in reply?["setting"]?.array ?? [] {
            guard let name = setting["name"]?.string, let value = setting["value"]?.string else { continue }
            checkIn.settings[name] = value
        }
        return checkIn
    }

    private static func number(_ value: JSONValue) -> UInt64? {
        if let text = value.string { return UInt64(text) }
        return value.uint64 ?? value.int64.map(UInt64.init(bitPattern:))
    }
}
