import Bytes
public import PushModel
public import Timekeeping

/// Makes registrations of APNs tokens that an app server collected before its app spoke to this service.
///
/// Source: Instance ID server reference, "Create registration tokens for APNs tokens".
public struct APNsTokenImporter: Sendable {
    /// A real token has 32 bytes; shorter texts are parts of one.
    public static let leastHexDigits = 64

    /// Why a token was not imported.
    public enum Refusal: Error, Sendable, Equatable {
        case malformedToken
        /// No Apple app of the project has that bundle id.
        case unknownApp
        case unavailable
    }

    private let store: any RegistrationStore
    private let known: any AppleRegistrations
    private let directory: any ProjectDirectory
    private let clock: any WallClock
    private let sealing: Sealing
    private let tokens: RegistrationTokenCodec
    private let registered: @Sendable (Registration) -> Void

    /// - Parameter registered: Hears each new registration.
    public init(
        store: any RegistrationStore, known: any AppleRegistrations, directory: any ProjectDirectory,
        clock: any WallClock, sealing: Sealing, registered: @escaping @Sendable (Registration) -> Void = { _ in }
    ) {
        self.store = store
        self.known = known
        self.directory = directory
        self.clock = clock
        self.sealing = sealing
        self.registered = registered
        tokens = RegistrationTokenCodec(sealing: sealing)
    }

    /// The Apple app of a bundle id.
    public func app(bundleID: String, in project: ProjectNumber) -> App? {
        directory.apps(of: project).first { $0.id.platform == .ios && $0.bundleID == bundleID }
    }

    /// The registration token of an APNs token. An app instance that registered by itself keeps its registration; a
    /// second import gives the same token.
    public func registrationToken(
        of hex: String, environment: APNsEnvironment, app: App
    ) async throws(Refusal) -> String {
        guard hex.utf8.count >= Self.leastHexDigits, let token = APNsDeviceToken(hex: hex) else {
            throw .malformedToken
        }
        do {
            if let present = try known.registration(of: token, bundleID: app.bundleID, in: app.project) {
                return tokens.token(of: present)
            }
            let registration = try await store.register(draft(token, environment, app))
            registered(registration)
            return tokens.token(of: registration)
        } catch {
            throw .unavailable
        }
    }

    private func draft(_ token: APNsDeviceToken, _ environment: APNsEnvironment, _ app: App) -> RegistrationDraft {
        RegistrationDraft(
            project: app.project, app: app.id, fid: instanceID(of: token, in: app), bundleID: app.bundleID,
            channel: .apple(APNsAddress(token: token, environment: environment)), isFIDMode: false, androidID: 0,
            sender: app.project.description, subtype: app.project.description, scope: "*", time: clock.now(),
            freshNonce: sealing.randomInteger())
    }

    /// An id of the old Instance ID form that follows from the token: 8 bytes, the first nibble 0111.
    private func instanceID(of token: APNsDeviceToken, in app: App) -> String {
        let seal = sealing.derived(for: "imported instance").seal(Array("\(app.id) \(token.hex)".utf8)).prefix(8)
        return Base64URL.encode([(seal.first ?? 0) & 0x0f | 0x70] + seal.dropFirst())
    }
}
