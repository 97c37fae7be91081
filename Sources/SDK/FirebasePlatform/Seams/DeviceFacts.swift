#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What the device says about itself.
public protocol DeviceFacts: Sendable {
    /// Hardware model, like `iPhone16,1`.
    var model: String { get }
    /// System version without a name, like `18.0`.
    var osVersion: String { get }
    /// Lower-case platform name as the user agent writes it: `ios`, `tvos`, `macos`, `watchos`, `visionos`.
    var platformName: String { get }
    /// The user's languages, best first, like `fr-FR`.
    var preferredLanguages: [String] { get }
    /// IANA name, like `Europe/Paris`.
    var timeZoneName: String { get }
    /// Offset of local time from UTC at that moment. Unit: seconds, positive east of Greenwich.
    func localTimeOffsetSeconds(at date: Date) -> Int
}
