import Bytes
public import PushModel
public import Timekeeping

/// Firebase Installations: one identity for each installation of an app.
///
/// Source: Firebase Installations API v1, as its SDKs call it.
public struct InstallationService: Sendable {
    /// What a new installation gets.
    public struct Grant: Sendable, Equatable {
        public var installation: Installation
        public var refreshToken: String
        public var authToken: String
    }

    /// Why a call was refused.
    public enum Refusal: Error, Sendable, Equatable {
        /// No such installation.
        case notFound
        /// The refresh token is not this installation's.
        case wrongRefreshToken
        /// Another app of the project has the FID.
        case takenByOtherApp
        /// An app instance that receives messages has the FID.
        case inUse
        case unavailable(String)
    }

    private let store: any RegistrationStore
    private let clock: any WallClock
    private let sealing: Sealing
    private let tokens: InstallationTokenCodec
    private let registrationTokens: RegistrationTokenCodec

    public init(store: any RegistrationStore, clock: any WallClock, sealing: Sealing) {
        self.store = store
        self.clock = clock
        self.sealing = sealing
        tokens = InstallationTokenCodec(sealing: sealing)
        registrationTokens = RegistrationTokenCodec(sealing: sealing)
    }

    /// Creates an installation. A FID of another form, or none, is replaced by one of ours: SDKs adopt what they get.
    /// The same FID of the same app gets a new refresh token, and the old one dies: the answer to the first call may have
    /// been lost. But not once the instance is registered for messages: whoever asks then is a copy of it.
    ///
    /// An Instance ID of the time before installations becomes a FID for who shows its token; for others it is replaced.
    ///
    /// - Parameter migrated: The registration token that the app had under an Instance ID; empty when it had none.
    public func create(
        wanted: String, app: App, sdkVersion: String, migrated: String = ""
    ) async throws(Refusal) -> Grant {
        let refreshToken = "3_" + Base64URL.encode(sealing.random(78))
        let installation = Installation(
            fid: try free(wanted, in: app.project, migrated: migrated) ?? freshID(), project: app.project, app: app.id,
            refreshTokenHash: sealing.digest(Array(refreshToken.utf8)), sdkVersion: sdkVersion,
            createdAt: clock.now())
        do {
            try await store.putInstallation(installation)
        } catch {
            throw refusal(error)
        }
        return Grant(installation: installation, refreshToken: refreshToken, authToken: authToken(installation))
    }

    /// The wanted id, `nil` when the caller is to have another one.
    private func free(
        _ wanted: String, in project: ProjectNumber, migrated: String
    ) throws(Refusal) -> FirebaseInstallationID? {
        guard let fid = FirebaseInstallationID(wanted) else { return nil }
        let held: Registration?
        do {
            held = try store.registration(fid: fid.text, in: project)
        } catch {
            throw refusal(error)
        }
        guard let held else { return fid }
        guard try installation(fid, in: project) == nil else { throw .inUse }
        guard let shown = registrationTokens.decode(migrated), shown.fid == fid.text, shown.project == project,
            shown.registration == held.id, shown.nonce == held.tokenNonce
        else { return nil }
        return fid
    }

    /// A new auth token for the holder of the refresh token.
    public func renew(fid: String, in project: ProjectNumber, refreshToken: String) throws(Refusal) -> String {
        authToken(try proven(fid: fid, in: project, refreshToken: refreshToken))
    }

    /// The installation, for the holder of its refresh token.
    public func proven(
        fid: String, in project: ProjectNumber, refreshToken: String
    ) throws(Refusal) -> Installation {
        guard let fid = FirebaseInstallationID(fid), let found = try installation(fid, in: project) else {
            throw .notFound
        }
        guard sealing.isEqual(found.refreshTokenHash, sealing.digest(Array(refreshToken.utf8))) else {
            throw .wrongRefreshToken
        }
        return found
    }

    /// Deletes the installation with its registrations.
    public func delete(fid: String, in project: ProjectNumber, refreshToken: String) async throws(Refusal) {
        let found = try proven(fid: fid, in: project, refreshToken: refreshToken)
        do {
            _ = try await store.deleteInstallation(found.fid, in: project, at: clock.now())
        } catch {
            throw refusal(error)
        }
    }

    /// What an auth token proves, if it is valid now and its installation still exists.
    public func proof(_ authToken: some StringProtocol) -> InstallationProof? {
        guard let proof = tokens.decode(authToken, at: clock.now()),
            let found = try? installation(proof.fid, in: proof.project), found.app == proof.app
        else { return nil }
        return proof
    }

    private func installation(
        _ fid: FirebaseInstallationID, in project: ProjectNumber
    ) throws(Refusal) -> Installation? {
        do {
            return try store.installation(fid, in: project)
        } catch {
            throw refusal(error)
        }
    }

    private func authToken(_ installation: Installation) -> String {
        tokens.encode(
            InstallationProof(fid: installation.fid, app: installation.app, project: installation.project),
            at: clock.now())
    }

    /// 17 random bytes, the first nibble 0111, the first 22 characters of base64url.
    private func freshID() -> FirebaseInstallationID {
        var bytes = sealing.random(17)
        bytes[0] = bytes[0] & 0x0f | 0x70
        let text = Base64URL.encode(bytes).prefix(22)
        guard let fid = FirebaseInstallationID(text) else { return freshID() }
        return fid
    }

    private func refusal(_ error: StoreError) -> Refusal {
        switch error {
        case .conflict: .takenByOtherApp
        case .notFound: .notFound
        case .unavailable(let text): .unavailable(text)
        }
    }
}
