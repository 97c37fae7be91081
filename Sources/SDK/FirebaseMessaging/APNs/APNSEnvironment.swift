import FirebasePlatform

/// Finds out which APNs environment the app was signed for.
enum APNSEnvironment {
    /// Simulators get sandbox tokens; App Store and TestFlight builds production ones; any other build says so in its
    /// provisioning profile, and counts as production when that cannot be read.
    static func isSandbox(_ app: any AppInfo, platformName: String) -> Bool {
        if app.isSimulator { return true }
        if app.isAppStore { return false }
        guard let profile = app.provisioningProfile(), let plist = plist(inProfile: profile) else { return false }
        let key = platformName == "macos" ? "com.apple.developer.aps-environment" : "aps-environment"
        return plist["Entitlements"]?.dictionary?[key]?.string == "development"
    }

    /// A profile is a signed envelope around a property list in plain sight. Bytes that no plist text has are turned
    /// into dots, so that binary parts cannot upset the reader.
    private static func plist(inProfile bytes: [UInt8]) -> [String: PlistValue]? {
        let end = Array("</plist>".utf8)
        guard let first = find(Array("<plist".utf8), in: bytes, from: 0),
            let last = find(end, in: bytes, from: first)
        else { return nil }
        let fragment = bytes[first..<last + end.count].map { $0 == 0 || $0 > 127 ? UInt8(ascii: ".") : $0 }
        return PlistValue.dictionary(parsing: fragment)
    }

    private static func find(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= start + needle.count else { return nil }
        return (start...bytes.count - needle.count).first { bytes[$0..<$0 + needle.count].elementsEqual(needle) }
    }
}
