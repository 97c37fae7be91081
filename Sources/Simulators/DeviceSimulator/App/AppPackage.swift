public import FirebasePlatform

/// An app as it is installed on a virtual iPhone: what its bundle holds.
public struct AppPackage: Sendable {
    /// How the app registers for messages.
    public enum Mode: String, Sendable {
        /// With a registration token.
        case classic
        /// With its Firebase installation id.
        case fid
    }

    public var bundleID: String
    public var version = "1.0"
    public var mode: Mode
    /// `GoogleService-Info.plist`.
    public var configurationPlist: [UInt8]
    /// Further keys of Info.plist.
    public var infoValues: [String: PlistValue] = [:]
    /// Whether the app is signed for APNs' sandbox, as an app in development is.
    public var usesSandbox = true
    /// Whether the app lets the SDK keep the direct channel up.
    public var opensDirectChannel = false
    /// Whether the app brings a notification service extension, which adds images.
    public var hasServiceExtension = true
    /// Whether app and extension report deliveries to the service.
    public var reportsDeliveries = false
    /// The category in which the sample app hears of notifications that the user puts away, unless it is told others.
    public static let dismissibleCategory = "dismissible"
    /// The categories in which the sample app wants to hear of notifications that the user puts away.
    public var dismissCategories: [String] = []
    /// The app's own code; `nil` for the sample app.
    public var code: AppCode?

    public init(bundleID: String, mode: Mode, configurationPlist: [UInt8]) {
        self.bundleID = bundleID
        self.mode = mode
        self.configurationPlist = configurationPlist
    }
}

struct PackageInfo: AppInfo {
    let package: AppPackage
    /// Whether it is the bundle of the app's service extension.
    var isExtension = false

    var bundleID: String { isExtension ? package.bundleID + ".service" : package.bundleID }
    var shortVersion: String { package.version }
    var isWatchExtension: Bool { false }
    var isSimulator: Bool { false }
    var isAppStore: Bool { !package.usesSandbox }

    func infoValue(_ key: String) -> PlistValue? {
        if let value = package.infoValues[key] { return value }
        return switch key {
        case "CFBundleIdentifier": .string(bundleID)
        case "CFBundleShortVersionString": .string(package.version)
        case "FirebaseMessagingInstallationIdEnabled": package.mode == .fid ? .bool(true) : nil
        default: nil
        }
    }

    func configurationPlist() -> [UInt8]? { package.configurationPlist }

    /// The part of a provisioning profile that says for which APNs environment the app is signed.
    func provisioningProfile() -> [UInt8]? {
        guard package.usesSandbox else { return nil }
        let profile = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>Entitlements</key><dict>\
            <key>aps-environment</key><string>development</string></dict></dict></plist>
            """
        return Array(profile.utf8)
    }
}
