import FirebasePlatform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where the check-in of the device is kept: credentials in the secure store, the rest in a file.
///
/// The secure store outlives the app and the file does not: credentials without the file belong to an earlier install
/// of the app.
struct CheckInStore: Sendable {
    enum Contents: Sendable, Hashable {
        case none
        case present(CheckIn)
        /// Credentials of an earlier install: of no use but to clear what the server still keeps for them.
        case leftOver(CheckInCredentials)
    }

    static let path = "Google/FirebaseInstanceID/g-checkin.plist"
    let platform: Platform
    let account: String

    func load() throws(SecureStoreError) -> Contents {
        guard let bytes = try platform.secureStore.read(key),
            let credentials = CheckInCredentials(stored: String(decoding: bytes, as: UTF8.self))
        else { return .none }
        guard let file = try? platform.files.read(Self.path), let plist = PlistValue.dictionary(parsing: file) else {
            return .leftOver(credentials)
        }
        var checkIn = CheckIn(
            credentials: credentials,
            lastCheckInMilliseconds: plist[Key.lastCheckIn]?.integer ?? Int64(plist[Key.lastCheckIn]?.string ?? "") ?? 0
        )
        checkIn.digest = plist[Key.digest]?.string ?? ""
        checkIn.versionInfo = plist[Key.versionInfo]?.string ?? ""
        checkIn.deviceDataVersion = plist[Key.deviceDataVersion]?.string ?? ""
        checkIn.settings = plist[Key.settings]?.dictionary?.compactMapValues(\.string) ?? [:]
        return .present(checkIn)
    }

    /// Stores the credentials first: without them the file means nothing.
    func save(_ checkIn: CheckIn) throws {
        try platform.secureStore.write(Array(checkIn.credentials.stored.utf8), for: key)
        try platform.files.write(Self.file(of: checkIn), to: Self.path)
    }

    func remove() throws {
        try platform.secureStore.remove(key)
        try platform.files.remove(Self.path)
    }

    private var key: SecureItemKey {
        SecureItemKey(generic: "com.google.iid", service: "com.google.iid.checkin", account: account)
    }

    private enum Key {
        static let lastCheckIn = "GMSInstanceIDLastCheckinTimestampKey"
        static let digest = "GMSInstanceIDDigestKey"
        static let versionInfo = "GMSInstanceIDVersionInfo"
        static let deviceDataVersion = "GMSInstanceIDDeviceDataVersion"
        static let settings = "GMSInstanceIDGServicesData"
    }

    private static func file(of checkIn: CheckIn) throws -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        let plist: [String: PlistValue] = [
            Key.lastCheckIn: .integer(checkIn.lastCheckInMilliseconds),
            Key.digest: .string(checkIn.digest),
            Key.versionInfo: .string(checkIn.versionInfo),
            Key.deviceDataVersion: .string(checkIn.deviceDataVersion),
            Key.settings: .dictionary(checkIn.settings.mapValues(PlistValue.string)),
        ]
        return Array(try encoder.encode(plist))
    }
}
