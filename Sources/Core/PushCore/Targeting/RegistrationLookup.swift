public import PushModel

/// Finds the registration that a token or a FID names.
public struct RegistrationLookup: Sendable {
    let registrations: any RegistrationStore
    let tokens: RegistrationTokenCodec

    public init(registrations: any RegistrationStore, tokens: RegistrationTokenCodec) {
        self.registrations = registrations
        self.tokens = tokens
    }

    /// A token proves itself by its seal; its row says whether it is still the current one. A FID may stand in its
    /// place. Source: FCM HTTP v1, `Message.token`.
    ///
    /// - Throws: `malformedToken`, `unregistered`, `senderIDMismatch`, or `unavailable` when the store does not answer.
    public func registration(token text: String, in project: ProjectNumber) throws(SendError) -> Registration {
        guard let content = tokens.decode(text) else { return try registration(fidInTokenField: text, in: project) }
        guard content.project == project else { throw .senderIDMismatch }
        let found = try read { () throws(StoreError) in try registrations.registration(content.registration) }
        guard let registration = found,
            registration.ending == nil, registration.project == project, registration.tokenNonce == content.nonce
        else { throw .unregistered }
        return registration
    }

    /// - Throws: `unregistered`, or `unavailable` when the store does not answer.
    public func registration(
        fid: FirebaseInstallationID, in project: ProjectNumber
    ) throws(SendError) -> Registration {
        guard let registration = try live(fid, in: project) else { throw .unregistered }
        return registration
    }

    /// The registration that a token was once given to, whatever became of it since.
    public func formerRegistration(token text: String, in project: ProjectNumber) -> RegistrationID? {
        if let content = tokens.decode(text) { return content.project == project ? content.registration : nil }
        guard let fid = FirebaseInstallationID(text) else { return nil }
        return (try? live(fid, in: project))?.id
    }

    /// Any 22 characters may look like a FID, so one that nobody ever had is a malformed token and not a dead one.
    private func registration(
        fidInTokenField text: String, in project: ProjectNumber
    ) throws(SendError) -> Registration {
        guard let fid = FirebaseInstallationID(text) else { throw .malformedToken }
        if let registration = try live(fid, in: project) { return registration }
        let isKnown = try read { () throws(StoreError) in try registrations.hasKnown(fid: text, in: project) }
        throw isKnown ? .unregistered : .malformedToken
    }

    private func live(_ fid: FirebaseInstallationID, in project: ProjectNumber) throws(SendError) -> Registration? {
        let found = try read { () throws(StoreError) in try registrations.registration(fid: fid.text, in: project) }
        return found?.ending == nil ? found : nil
    }

    private func read<Value>(_ body: () throws(StoreError) -> Value) throws(SendError) -> Value {
        do {
            return try body()
        } catch {
            throw .unavailable
        }
    }
}
