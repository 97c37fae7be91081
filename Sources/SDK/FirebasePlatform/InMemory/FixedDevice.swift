#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Device facts that are a plain value, with a fixed offset from UTC.
public struct FixedDevice: DeviceFacts {
    public var model: String
    public var osVersion: String
    public var platformName: String
    public var preferredLanguages: [String]
    public var timeZoneName: String
    public var offsetSeconds: Int

    public init(
        model: String = "iPhone16,1", osVersion: String = "18.0", platformName: String = "ios",
        preferredLanguages: [String] = ["en-US"], timeZoneName: String = "GMT", offsetSeconds: Int = 0
    ) {
        self.model = model
        self.osVersion = osVersion
        self.platformName = platformName
        self.preferredLanguages = preferredLanguages
        self.timeZoneName = timeZoneName
        self.offsetSeconds = offsetSeconds
    }

    public func localTimeOffsetSeconds(at date: Date) -> Int { offsetSeconds }
}
