public import PushModel

extension RegistrationLookup {
    /// As `registration(token:in:)`, but an earlier token of a live registration finds it too.
    ///
    /// - Returns: The registration and, for an earlier token, its current one. Source: legacy HTTP, `registration_id` of
    ///   a result ("canonical id").
    public func registration(
        currentOrEarlierToken text: String, in project: ProjectNumber
    ) throws(SendError) -> (registration: Registration, currentToken: String?) {
        do {
            return (try registration(token: text, in: project), nil)
        } catch {
            guard error.kind == .unregistered, let content = tokens.decode(text), content.project == project,
                let registration = try liveRegistration(content.registration), registration.project == project,
                registration.fid == content.fid
            else { throw error }
            return (registration, tokens.token(of: registration))
        }
    }

    private func liveRegistration(_ id: RegistrationID) throws(SendError) -> Registration? {
        do {
            let registration = try registrations.registration(id)
            return registration?.ending == nil ? registration : nil
        } catch {
            throw .unavailable
        }
    }
}
