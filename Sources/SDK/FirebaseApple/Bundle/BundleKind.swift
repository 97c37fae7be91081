import FirebasePlatform

/// What kind of bundle the process runs.
struct BundleKind: Sendable, Hashable {
    var isExtension: Bool
    /// A WatchKit extension of the time before watch apps had a single target.
    var isWatchExtension: Bool

    /// - Parameters:
    ///   - pathExtension: Of the main bundle.
    ///   - extensionInfo: The `NSExtension` dictionary of Info.plist.
    init(pathExtension: String, extensionInfo: PlistValue?) {
        let point = extensionInfo?.dictionary?["NSExtensionPointIdentifier"]?.string
        isExtension = pathExtension == "appex" || point != nil
        isWatchExtension = point == "com.apple.watchkit"
    }
}
