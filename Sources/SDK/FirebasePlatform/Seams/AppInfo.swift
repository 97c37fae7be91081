/// What the app bundle says about itself. Values are asked for each time, never kept.
public protocol AppInfo: Sendable {
    /// `CFBundleIdentifier`.
    var bundleID: String { get }
    /// `CFBundleShortVersionString`, empty when the bundle has none.
    var shortVersion: String { get }
    /// The value of an Info.plist key with its type: the text `NO` and the boolean `false` mean different things.
    func infoValue(_ key: String) -> PlistValue?
    /// The bytes of the main bundle's `GoogleService-Info.plist`, `nil` when the bundle has none.
    func configurationPlist() -> [UInt8]?
    var isExtension: Bool { get }
    /// True only in a real WatchKit extension, whose bundle id carries one component more than the app's.
    var isWatchExtension: Bool { get }
    var isSimulator: Bool { get }
    /// App Store or TestFlight build.
    var isAppStore: Bool { get }
    /// The bytes of `embedded.mobileprovision` (or `embedded.provisionprofile`), `nil` when unreadable.
    func provisioningProfile() -> [UInt8]?
}

extension AppInfo {
    /// Whether the SDK takes device tokens and messages from the app delegate by itself.
    ///
    /// Either Info.plist key set to a boolean (or number) false switches it off; text counts as absent.
    public var isAppDelegateProxyEnabled: Bool {
        ["FirebaseAppDelegateProxyEnabled", "GoogleUtilitiesAppDelegateProxyEnabled"]
            .allSatisfy { infoValue($0)?.flag ?? true }
    }

    /// The bundle id of the app itself: a WatchKit extension leaves its last component out.
    public var appBundleID: String {
        guard isWatchExtension, let dot = bundleID.lastIndex(of: ".") else { return bundleID }
        return String(bundleID[..<dot])
    }
}
