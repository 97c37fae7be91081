package import GoogleAPI
package import PushCore
package import PushModel
package import Reports

/// Finds the registrations that a text names: a token, also an earlier one; a FID; or the number of a registration.
package struct DeviceNames: Sendable {
    let store: any RegistrationStore & InspectionStore
    let tokens: RegistrationTokenCodec

    package init(store: any RegistrationStore & InspectionStore, tokens: RegistrationTokenCodec) {
        self.store = store
        self.tokens = tokens
    }

    /// Registrations of the project, newest first; those that ended are among them.
    package func registrations(_ text: String, in project: ProjectNumber) async throws(GoogleError) -> [RegistrationID]
    {
        if let content = tokens.decode(text) { return content.project == project ? [content.registration] : [] }
        guard FirebaseInstallationID(text) != nil else { return [] }
        let query = DeviceQuery(project: project, filter: .fid(text), limit: 50)
        return try await asking { () async throws(StoreError) in
            try store.devices(query).devices.map(\.registration.id)
        }
    }

    /// The registration that a path names: the live one, when there is one.
    func registration(_ text: String, in project: ProjectNumber) async throws(GoogleError) -> Registration {
        var ids = try await registrations(text, in: project)
        if ids.isEmpty, let number = Int64(text) { ids = [RegistrationID(value: number)] }
        var ended: Registration?
        for id in ids {
            let found = try await asking { () async throws(StoreError) in try store.registration(id) }
            guard let found, found.project == project else { continue }
            if found.ending == nil { return found }
            ended = ended ?? found
        }
        guard let ended else { throw .absent("device") }
        return ended
    }
}
