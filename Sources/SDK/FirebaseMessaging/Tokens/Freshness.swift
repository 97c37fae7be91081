#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Whether a stored registration may still be used, or must be asked for again.
struct Freshness: Sendable {
    enum Staleness: Sendable, Hashable {
        case unknownInstallation, noCacheTime, otherKind, otherInstallation, retiredScope, otherAppVersion,
            otherFirebaseApp
        case otherLocale, tooOld
    }

    static let lifetimeSeconds = 604_800.0

    var installationID: String?
    var kind: RegistrationKind
    var appVersion: String
    var firebaseAppID: String
    var locale: String
    var storedLocale: String?
    var now: Date

    /// The first rule that the record breaks, `nil` when it is fresh.
    func staleness(of record: TokenRecord) -> Staleness? {
        guard let installationID, !installationID.isEmpty else { return .unknownInstallation }
        guard let cachedAt = record.cachedAt else { return .noCacheTime }
        if record.kind != kind { return .otherKind }
        if !Self.belongs(record, to: installationID) { return .otherInstallation }
        if record.key.scope == "fiam" { return .retiredScope }
        if record.appVersion != appVersion { return .otherAppVersion }
        if record.firebaseAppID != firebaseAppID { return .otherFirebaseApp }
        if locale != storedLocale { return .otherLocale }
        // A clock that was set back leaves the age unknown.
        let age = now.timeIntervalSince(cachedAt)
        return age >= 0 && age < Self.lifetimeSeconds ? nil : .tooOld
    }

    /// Tokens start with the id of their installation; a registration of the other kind is that id.
    static func belongs(_ record: TokenRecord, to installationID: String) -> Bool {
        switch record.kind {
        case .token: record.token.hasPrefix(installationID)
        case .installationID: record.token == installationID
        }
    }
}
