import FirebasePlatform
import FoundationEssentials

/// The hardware and settings of a virtual iPhone.
public struct PhoneModel: Sendable {
    /// Hardware model, like `iPhone16,1`.
    public var model = "iPhone16,1"
    public var osVersion = "18.0"
    /// The user's languages, best first.
    public var languages = ["en-US"]
    /// IANA name, and its constant offset from UTC in seconds.
    public var timeZoneName = "Europe/Paris"
    public var timeZoneOffsetSeconds = 3600

    public init() {}
}

struct PhoneFacts: DeviceFacts {
    let phone: PhoneModel

    var model: String { phone.model }
    var osVersion: String { phone.osVersion }
    var platformName: String { "ios" }
    var preferredLanguages: [String] { phone.languages }
    var timeZoneName: String { phone.timeZoneName }
    func localTimeOffsetSeconds(at date: Date) -> Int { phone.timeZoneOffsetSeconds }
}
