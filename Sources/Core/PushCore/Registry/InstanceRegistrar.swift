public import PushModel
public import Timekeeping

/// Registers app instances by their FID. The auth token of the installation is the identity.
///
/// Source: FCM registration API v1 (`projects.registrations`), as the Apple and JavaScript SDKs call it.
public struct InstanceRegistrar: Sendable {
    /// How the instance receives, as far as the request says.
    public enum Form: Sendable, Equatable {
        case apple(APNsAddress, bundleID: String?)
        case web(endpoint: String, p256dh: String, auth: String, applicationKey: String)
    }

    /// Why a call was refused.
    public enum Refusal: Error, Sendable, Equatable {
        /// No valid auth token of an installation of this project.
        case unauthenticated
        /// The token proves another installation.
        case otherInstallation
        case notFound
        /// The bundle id is not that of the installation's app.
        case wrongBundle
        /// The endpoint is one of ours, but no browser holds it.
        case unknownEndpoint
        /// The endpoint is one of ours, but the browser subscribed with another application server key.
        case otherApplicationKey
        case unavailable(String)
    }

    private let store: any RegistrationStore
    private let directory: any ProjectDirectory
    private let installations: InstallationService
    private let clock: any WallClock
    private let sealing: Sealing
    private let tokens: RegistrationTokenCodec
    private let endpoints: BrowserEndpoints
    private let webPushKeys: (any WebPushKeys)?

    /// - Parameter webPushKeys: Without them, endpoints that Google's service gave out are refused.
    public init(
        store: any RegistrationStore, directory: any ProjectDirectory, installations: InstallationService,
        clock: any WallClock, sealing: Sealing, webPushKeys: (any WebPushKeys)? = nil
    ) {
        self.store = store
        self.webPushKeys = webPushKeys
        self.directory = directory
        self.installations = installations
        self.clock = clock
        self.sealing = sealing
        tokens = RegistrationTokenCodec(sealing: sealing)
        endpoints = BrowserEndpoints(registrations: store, tokens: tokens)
    }

    /// Who calls.
    public func proof(_ authToken: String, in project: ProjectNumber) throws(Refusal) -> InstallationProof {
        guard let proof = installations.proof(authToken), proof.project == project else { throw .unauthenticated }
        return proof
    }

    /// Registers, or replaces the registration of the same FID.
    ///
    /// - Parameter device: The device of the app's direct channel, for data to go there; credentials that are not right
    ///   count as none.
    /// - Returns: The registration and, for browsers in token mode, its token.
    public func register(
        _ form: Form, by proof: InstallationProof, of device: DeviceCredentials? = nil, appVersion: String,
        sdkVersion: String, locale: DeviceLocale? = nil
    ) async throws(Refusal) -> (registration: Registration, token: String) {
        guard let app = directory.app(id: proof.app) else { throw .unauthenticated }
        let draft = RegistrationDraft(
            project: proof.project, app: proof.app, fid: proof.fid.text, bundleID: app.bundleID,
            channel: try channel(form, of: app), isFIDMode: true, androidID: try proven(device, for: form),
            appVersion: appVersion, sdkVersion: sdkVersion, locale: locale, time: clock.now(),
            freshNonce: sealing.randomInteger())
        do {
            let registration = try await store.register(draft)
            return (registration, tokens.token(of: registration))
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// The id of the device if the credentials are its own. Browsers are reached by their endpoints alone.
    private func proven(_ device: DeviceCredentials?, for form: Form) throws(Refusal) -> UInt64 {
        guard let device, case .apple = form else { return 0 }
        do {
            return try store.isDevice(device) ? device.androidID : 0
        } catch .notFound {
            return 0
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// Ends the registration that a FID or a token names.
    public func unregister(_ name: String, by proof: InstallationProof) async throws(Refusal) {
        do {
            guard let registration = try registration(named: name, by: proof), registration.ending == nil else {
                throw Refusal.notFound
            }
            try await store.end(registration.id, .deletedByApp, at: clock.now())
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// Whether the path of a call names the caller: a FID must be the caller's own, a token one of the caller's.
    public func checkOwner(of name: String, by proof: InstallationProof) throws(Refusal) {
        do {
            guard try registration(named: name, by: proof) != nil else { throw Refusal.notFound }
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw .unavailable("\(error)")
        }
    }

    private func registration(named name: String, by proof: InstallationProof) throws -> Registration? {
        if let content = tokens.decode(name) {
            guard content.fid == proof.fid.text, content.project == proof.project else { return nil }
            return try store.registration(content.registration).flatMap {
                $0.tokenNonce == content.nonce ? $0 : nil
            }
        }
        guard name == proof.fid.text else { throw Refusal.otherInstallation }
        return try store.registration(fid: name, in: proof.project)
    }

    private func checkEndpoint(
        _ endpoint: String, applicationKey: String, in project: ProjectNumber
    ) throws(Refusal) {
        do {
            try endpoints.check(endpoint, applicationKey: applicationKey, in: project, keys: webPushKeys)
        } catch {
            switch error {
            case .unknownEndpoint: throw .unknownEndpoint
            case .otherKey: throw .otherApplicationKey
            case .unavailable(let detail): throw .unavailable(detail)
            }
        }
    }

    private func channel(_ form: Form, of app: App) throws(Refusal) -> Registration.Channel {
        switch form {
        case .apple(let address, let bundleID):
            guard bundleID == nil || bundleID == app.bundleID else { throw .wrongBundle }
            return .apple(address)
        case .web(let endpoint, let p256dh, let auth, let applicationKey):
            try checkEndpoint(endpoint, applicationKey: applicationKey, in: app.project)
            return .web(endpoint: endpoint, p256dh: p256dh, auth: auth, applicationKey: applicationKey)
        }
    }
}
