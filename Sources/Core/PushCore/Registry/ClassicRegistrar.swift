import Bytes
public import PushModel
public import Timekeeping

/// Registers and unregisters app instances of the token era.
public struct ClassicRegistrar: Sendable {
    /// Longer names are refused.
    public static let maximumNameCharacters = 255
    /// The authorized entity of browsers that use FCM's own key instead of one of their app server.
    public static let defaultBrowserKey =
        "BDOU99-h67HcA6JeFXHbSNMu7e2yNNu3RzoMj8TM4W88jITfq7ZmPvIM1Iv-4_l2LxQcYwhqby2xGpWwzjfAnG4"
    /// The project of registrations that no project owns: those of a browser for an app server's own key.
    public static let noProject = Project.none.number

    private let store: any RegistrationStore
    private let directory: any ProjectDirectory
    private let installations: InstallationService
    private let clock: any WallClock
    private let sealing: Sealing
    private let tokens: RegistrationTokenCodec

    public init(
        store: any RegistrationStore, directory: any ProjectDirectory, installations: InstallationService,
        clock: any WallClock, sealing: Sealing
    ) {
        self.store = store
        self.directory = directory
        self.installations = installations
        self.clock = clock
        self.sealing = sealing
        tokens = RegistrationTokenCodec(sealing: sealing)
    }

    /// Registers, or renews what is registered under the same key.
    /// - Returns: The registration and its token; the token begins with the app instance's id.
    public func register(
        _ request: ClassicRegistration
    ) async throws(ClassicRegistrationError) -> (registration: Registration, token: String) {
        let device = try store.provenDevice(request)
        let project = try project(of: request)
        let (app, proof) = try provenApp(request, in: project)
        if proof?.project != project { try checkIsFree(request, for: app, provedBy: proof, of: device, in: project) }
        let draft = RegistrationDraft(
            project: project, app: app, fid: try appInstance(request), bundleID: request.app,
            channel: try channel(request), isFIDMode: false, androidID: device.androidID, sender: request.sender,
            subtype: request.subtype, scope: request.scope, appVersion: request.appVersion,
            sdkVersion: request.sdkVersion, time: clock.now(), freshNonce: sealing.randomInteger())
        do {
            let registration = try await store.register(draft)
            return (registration, tokens.token(of: registration))
        } catch {
            throw .serviceNotAvailable
        }
    }

    /// Ends what the request names; `*` as sender or scope, or none, means all. Unknown is no error.
    public func unregister(_ request: ClassicRegistration) async throws(ClassicRegistrationError) {
        let device = try store.provenDevice(request)
        let filter = RegistrationFilter(
            androidID: device.androidID, bundleID: request.app,
            fid: request.appInstance.isEmpty ? nil : request.appInstance,
            sender: wildcard(request.sender), scope: wildcard(request.scope))
        do {
            _ = try await store.endRegistrations(filter, at: clock.now())
        } catch {
            throw .serviceNotAvailable
        }
    }

    // MARK: Checks, in the order in which clients depend on them

    private func project(of request: ClassicRegistration) throws(ClassicRegistrationError) -> ProjectNumber {
        if isBrowserKey(request.sender) { return Self.noProject }
        let senders = request.sender.split(separator: ",", omittingEmptySubsequences: false)
        guard senders.count <= 100 else { throw .invalidSender }
        let projects = senders.map { text in ProjectNumber(text).flatMap { directory.project(number: $0) } }
        guard let first = projects.first ?? nil, projects.allSatisfy({ $0 != nil }) else { throw .invalidSender }
        return first.number
    }

    /// A P-256 point, uncompressed, in base64url.
    private func isBrowserKey(_ text: String) -> Bool {
        guard (86...90).contains(text.utf8.count), let point = Base64URL.decode(text) else { return false }
        return point.count == 65 && point.first == 4
    }

    private func provenApp(
        _ request: ClassicRegistration, in project: ProjectNumber
    ) throws(ClassicRegistrationError) -> (app: AppID?, proof: InstallationProof?) {
        let app = try namedApp(request)
        guard !request.installationAuth.isEmpty else {
            let needsProof = FirebaseInstallationID(request.appInstance)?.isFull == true
            guard !(needsProof && (request.isApple || app != nil)) else { throw .installationAuthError }
            return (app, nil)
        }
        guard let proof = installations.proof(request.installationAuth), proof.fid.text == request.appInstance,
            app == proof.app || (app == nil && (project == proof.project || project == Self.noProject))
        else { throw .installationAuthError }
        return (proof.app, proof)
    }

    /// Who proves nothing to the project, or is an installation of another one, does not get an app instance that somebody
    /// else has there: it would take over that one's token, topics and groups.
    private func checkIsFree(
        _ request: ClassicRegistration, for app: AppID?, provedBy proof: InstallationProof?,
        of device: DeviceCredentials, in project: ProjectNumber
    ) throws(ClassicRegistrationError) {
        guard let instance = FirebaseInstallationID(request.appInstance) else { return }
        do {
            let isInstalled = try store.installation(instance, in: project) != nil
            guard !isInstalled else { throw StoreError.conflict("installation") }
            guard let found = try store.registration(fid: request.appInstance, in: project) else { return }
            let isSameDevice = found.androidID == device.androidID && (found.app == nil || found.app == app)
            guard isSameDevice || (proof != nil && found.app == app) else { throw StoreError.conflict("device") }
        } catch StoreError.conflict {
            throw instance.isFull ? .installationAuthError : .identityReset
        } catch {
            throw .serviceNotAvailable
        }
    }

    /// An app may register for the sender of another project, whose app server then sends to it: its own project is not
    /// asked.
    private func namedApp(_ request: ClassicRegistration) throws(ClassicRegistrationError) -> AppID? {
        guard !request.firebaseAppID.isEmpty else { return nil }
        guard let id = AppID(request.firebaseAppID), let app = directory.app(id: id) else {
            throw .invalidParameters
        }
        guard !request.isApple || app.bundleID == request.app else { throw .invalidParameters }
        return id
    }

    private func appInstance(_ request: ClassicRegistration) throws(ClassicRegistrationError) -> String {
        if request.appInstance.isEmpty { return instanceID(for: request) }
        guard FirebaseInstallationID(request.appInstance) != nil else { throw .invalidParameters }
        return request.appInstance
    }

    /// An id for clients that send none, in the old Instance ID form: 8 bytes, the first nibble 0111. It follows from the
    /// key of the registration, so that the same client gets the same token again.
    private func instanceID(for request: ClassicRegistration) -> String {
        let key = [request.deviceField, request.app, request.sender, request.subtype, request.scope]
        let bytes = sealing.derived(for: "instance id").seal(Array(key.joined(separator: "\u{0}").utf8)).prefix(8)
        return Base64URL.encode([(bytes.first ?? 0) & 0x0f | 0x70] + bytes.dropFirst())
    }

    private func channel(_ request: ClassicRegistration) throws(ClassicRegistrationError) -> Registration.Channel {
        guard request.isApple else { return .device }
        guard !request.apnsToken.isEmpty else { return .apple(nil) }
        let environment: APNsEnvironment
        switch request.apnsToken.prefix(2) {
        case "s_": environment = .sandbox
        case "p_": environment = .production
        default: throw .invalidParameters
        }
        guard let token = APNsDeviceToken(hex: request.apnsToken.dropFirst(2)) else { throw .invalidParameters }
        return .apple(APNsAddress(token: token, environment: environment))
    }

    private func wildcard(_ text: String) -> String? {
        text.isEmpty || text == "*" ? nil : text
    }
}
