public import FirebasePlatform

extension NotificationName {
    /// Posted after the installation id changed or was deleted; `userInfo[InstallationIDDidChangeAppNameKey]` is the
    /// name of the app.
    public static let InstallationIDDidChange = NotificationName("FIRInstallationIDDidChangeNotification")
}

public let InstallationIDDidChangeAppNameKey = "FIRInstallationIDDidChangeNotificationAppName"
