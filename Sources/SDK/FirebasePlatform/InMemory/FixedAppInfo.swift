/// App info that is a plain value.
public struct FixedAppInfo: AppInfo {
    public var bundleID: String
    public var shortVersion: String
    public var infoPlist: [String: PlistValue]
    public var configuration: [UInt8]?
    public var isExtension = false
    public var isWatchExtension = false
    public var isSimulator = false
    public var isAppStore = false
    public var profile: [UInt8]?

    public init(
        bundleID: String, shortVersion: String = "1.0", infoPlist: [String: PlistValue] = [:],
        configuration: [UInt8]? = nil, profile: [UInt8]? = nil
    ) {
        self.bundleID = bundleID
        self.shortVersion = shortVersion
        self.infoPlist = infoPlist
        self.configuration = configuration
        self.profile = profile
    }

    public func infoValue(_ key: String) -> PlistValue? { infoPlist[key] }
    public func configurationPlist() -> [UInt8]? { configuration }
    public func provisioningProfile() -> [UInt8]? { profile }
}
