package import FirebasePlatform

/// The text of `X-firebase-client`: parts `name/version`, sorted, separated by spaces.
package enum UserAgent {
    package static func text(for platform: Platform) -> String {
        [
            "apple-platform": platform.device.platformName,
            "appstore": platform.appInfo.isAppStore ? "true" : "false",
            "device": platform.device.model,
            "fire-fcm": sdkVersion,
            "fire-install": sdkVersion,
            "fire-ios": sdkVersion,
            "os-version": platform.device.osVersion,
        ]
        .map { "\($0.key)/\(clean($0.value))" }
        .sorted()
        .joined(separator: " ")
    }

    /// Keeps a part one part, and the header one line.
    private static func clean(_ text: String) -> String {
        String(text.unicodeScalars.map { (0x21...0x7E).contains($0.value) ? Character($0) : "_" })
    }
}
