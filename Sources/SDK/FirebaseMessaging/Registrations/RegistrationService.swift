import FirebaseCore
import FirebaseInstallations
import FirebasePlatform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Every registration of the app: looked up, asked for, stored and deleted, one operation at a time and in the order
/// of the calls.
final class RegistrationService: Sendable {
    let app: FirebaseApp
    let installations: Installations
    let store: TokenStore
    let checkIns: CheckInService
    private let announcer: RegistrationAnnouncer
    private let operations: SerialOperations
    private let fetcher: TokenFetcher
    private let registrar: InstallationRegistrar

    init(app: FirebaseApp, installations: Installations, announcer: RegistrationAnnouncer) {
        self.app = app
        self.installations = installations
        self.announcer = announcer
        let account = app.platform.appInfo.appBundleID
        store = TokenStore(store: app.platform.secureStore, account: account)
        checkIns = CheckInService(app: app, account: account)
        operations = SerialOperations(on: app.platform.executors)
        fetcher = TokenFetcher(app: app, installations: installations, checkIns: checkIns)
        registrar = InstallationRegistrar(app: app, installations: installations)
    }

    func close() {
        operations.close()
        checkIns.close()
    }

    /// The registration of messaging itself.
    var defaultKey: TokenRecord.Key { TokenRecord.Key(sender: app.optionsValues.gcmSenderID, scope: "*") }

    /// Which kind of registration Info.plist asks for.
    var kind: RegistrationKind {
        app.platform.appInfo.infoValue("FirebaseMessagingInstallationIdEnabled")?.lenientFlag == true
            ? .installationID : .token
    }
}

extension RegistrationService {
    /// The stored registration, if it is fresh and bound to this device token.
    func usableRecord(_ key: TokenRecord.Key, apns: APNSBinding?) throws(SecureStoreError) -> TokenRecord? {
        guard let record = try store.record(key), record.apns == apns, freshness.staleness(of: record) == nil else {
            return nil
        }
        if let device = deviceToName, record.deviceID != device.deviceID { return nil }
        return record
    }

    /// The device of the direct channel, for a registration of the installation id: a server of our kind then hands data
    /// over there. Google's knows nothing of it.
    private var deviceToName: CheckInCredentials? {
        guard kind == .installationID, app.endpoints.registrations != Endpoints.google.registrations else { return nil }
        return checkIns.stored()?.credentials
    }

    var freshness: Freshness {
        let locale = FirebaseLocale(app.platform)
        return Freshness(
            installationID: try? installations.currentID().get(), kind: kind,
            appVersion: app.platform.appInfo.shortVersion, firebaseAppID: app.optionsValues.googleAppID,
            locale: locale.current, storedLocale: locale.stored, now: app.platform.clock.now())
    }

    struct Registration: Sendable {
        var record: TokenRecord
        /// Whether the app was told about it on the way.
        var wasAnnounced = false
    }

    /// The usable registration, asked for when there is none.
    func registration(_ key: TokenRecord.Key, apns: APNSBinding?) async throws -> Registration {
        guard let apns else {
            app.log.warning("I-FCM002022", "There is no APNs device token yet, so no registration is asked for.")
            throw MessagingError.missingDeviceToken
        }
        return try await registration(key, boundTo: apns)
    }

    /// - Parameter apns: Without one, a token that messages reach over the direct channel only.
    func registration(_ key: TokenRecord.Key, boundTo apns: APNSBinding?) async throws -> Registration {
        guard !key.sender.isEmpty else { throw MessagingError.missingSender }
        if let record = try usableRecord(key, apns: apns) { return Registration(record: record) }
        return try await operations.run { [self] in
            await outcome { try await fetchedRegistration(key, apns: apns) }
        }.get()
    }

    private func fetchedRegistration(_ key: TokenRecord.Key, apns: APNSBinding?) async throws -> Registration {
        if let record = try usableRecord(key, apns: apns) { return Registration(record: record) }
        let kind = kind
        let device = deviceToName
        let token =
            switch kind {
            case .token: try await fetcher.fetch(key, apns: apns).token
            case .installationID:
                try await registrar.register(apns.orThrow(MessagingError.missingDeviceToken), device: device)
            }
        let wasAnnounced = key == defaultKey && announcer.announce(token, kind: kind)
        let record = TokenRecord(
            key: key, token: token, kind: kind, appVersion: app.platform.appInfo.shortVersion,
            firebaseAppID: app.optionsValues.googleAppID, apns: apns, cachedAt: app.platform.clock.now(),
            deviceID: device?.deviceID)
        try store.save(record)
        FirebaseLocale(app.platform).store()
        return Registration(record: record, wasAnnounced: wasAnnounced)
    }

    /// Deletes here and on the server, even what is not stored here.
    func deleteToken(_ key: TokenRecord.Key) async throws {
        try? store.remove(key)
        try await operations.run { [self] in
            let result = await outcome {
                try store.remove(key)
                try await fetcher.delete(key, forgetsInstance: false)
            }
            if key == defaultKey { announcer.announce(nil, kind: .token) }
            return result
        }.get()
    }

    /// - Returns: The id that was registered.
    func unregister() async throws -> String {
        let known = try? store.record(defaultKey)
        try? store.remove(defaultKey)
        return try await operations.run { [self] in
            await outcome {
                try store.remove(defaultKey)
                let id: String
                if let known, known.kind == .installationID {
                    id = known.token
                } else {
                    id = try installations.currentID().get()
                }
                announcer.announce(nil, kind: .installationID)
                try await registrar.unregister(id)
                return id
            }
        }.get()
    }

    /// Deletes every registration here and on the server, and the check-in.
    func deleteEverything() async throws {
        try await operations.run { [self] in
            await outcome {
                let known = try store.record(defaultKey)
                try store.removeAll()
                announcer.announce(nil, kind: kind)
                if checkIns.stored() != nil {
                    try await fetcher.delete(TokenRecord.Key(sender: "*", scope: "*"), forgetsInstance: true)
                    checkIns.forget()
                }
                if let known, known.kind == .installationID { try await registrar.unregister(known.token) }
            }
        }.get()
    }

    /// Clears what an earlier install of the app left on the server.
    func clearLeftOver() async {
        guard kind == .token, let credentials = checkIns.takeLeftOver() else { return }
        await fetcher.clear(credentials)
    }

    private func outcome<Value>(_ work: () async throws -> Value) async -> Result<Value, any Error> {
        do {
            return .success(try await work())
        } catch is CancellationError {
            return .failure(WebError.cancelled)
        } catch {
            return .failure(error)
        }
    }
}

extension Optional {
    fileprivate func orThrow<Failure: Error>(_ failure: Failure) throws(Failure) -> Wrapped {
        guard let self else { throw failure }
        return self
    }
}
