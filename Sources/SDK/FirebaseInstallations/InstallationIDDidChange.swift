public import FirebasePlatform

#if canImport(Darwin)
    public import Foundation
#endif

extension NotificationName {
    /// Posted after the installation id changed or was deleted; `userInfo[InstallationIDDidChangeAppNameKey]` is the
    /// name of the app.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let InstallationIDDidChange = NotificationName("FIRInstallationIDDidChangeNotification")
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let InstallationIDDidChangeAppNameKey = "FIRInstallationIDDidChangeNotificationAppName"
