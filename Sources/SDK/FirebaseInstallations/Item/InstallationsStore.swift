import FirebaseCore
import FirebasePlatform

/// Where the installation of one app is kept: the secure store, with a mark in the user defaults.
///
/// The secure store outlives the app and the mark does not: an item without its mark belongs to an earlier install of
/// the app, so it is discarded and the app gets a new identity.
struct InstallationsStore: Sendable {
    private let platform: Platform
    private let key: SecureItemKey
    private let markSuite: String
    private let markKey: String

    init(app: FirebaseApp) {
        platform = app.platform
        let service = "com.firebase.FIRInstallations.installations"
        markKey = app.optionsValues.googleAppID + app.name
        key = SecureItemKey(
            generic: "com.firebase.FIRInstallations",
            service: app.platform.device.platformName == "macos"
                ? "\(service).\(app.optionsValues.googleAppID)" : service,
            account: markKey)
        markSuite = app.optionsValues.appGroupID ?? "com.firebase.FIRInstallations"
    }

    /// - Returns: `nil` when there is none, or only one of an earlier install.
    func load() throws(InstallationsErrorCode) -> InstallationsItem? {
        guard platform.defaults.value(markKey, suite: markSuite)?.bool == true else { return nil }
        do {
            return try platform.secureStore.read(key).flatMap(InstallationsItem.init(stored:))
        } catch {
            throw Self.failure(error)
        }
    }

    func save(_ item: InstallationsItem) throws(InstallationsErrorCode) {
        do {
            try platform.secureStore.write(item.stored, for: key)
        } catch {
            throw Self.failure(error)
        }
        platform.defaults.set(.bool(true), for: markKey, suite: markSuite)
    }

    func remove() throws(InstallationsErrorCode) {
        do {
            try platform.secureStore.remove(key)
        } catch {
            throw Self.failure(error)
        }
        platform.defaults.set(nil, for: markKey, suite: markSuite)
    }

    private static func failure(_ error: SecureStoreError) -> InstallationsErrorCode {
        InstallationsErrorCode(.keychain, reason: "The secure store answered \(error.status).")
    }
}
