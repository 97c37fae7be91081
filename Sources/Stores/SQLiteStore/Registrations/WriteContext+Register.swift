import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    /// The project of what no project owns: a browser's registration for an app server's own key.
    private static let noProject = ProjectNumber(value: 0)

    /// Creates or renews the registration of the draft's key and ends those that it replaces.
    /// - Throws: `notFound` when there is no such project.
    func register(_ draft: RegistrationDraft) throws(StoreError) -> Registration {
        if draft.project != Self.noProject { try requireProject(draft.project) }
        let names = try DraftTexts(draft, in: self)
        let instance = draft.fid.isEmpty ? nil : try instance(draft.fid, in: draft.project)
        var stored: StoredRegistration
        if let known = try registration(of: draft, names, instance: instance), known.isLive || !draft.isOfBrowser {
            stored = known.renewed(by: draft)
            try update(stored, draft, names)
            if !known.isLive {
                try inheritTopics(stored.id, instance: instance, names, draft)
                try endInbox(of: RegistrationID(value: stored.id), at: known.androidID, time: draft.time)
            }
        } else {
            stored = StoredRegistration(new: draft)
            stored.id = try insert(stored, draft, names, instance: instance)
            try inheritTopics(stored.id, instance: instance, names, draft)
        }
        try putWebSubscription(draft.channel, of: stored.id)
        try noteAudience(of: stored.id, draft, version: names.appVersion)
        if let address = draft.address { try endReplaced(by: stored, at: address, draft, names, instance: instance) }
        return stored.registration(of: draft)
    }

    /// The registration of the draft's key, live or ended: its app instance when it has a FID, else its device.
    private func registration(
        of draft: RegistrationDraft, _ names: DraftTexts, instance: Int64?
    ) throws(StoreError) -> StoredRegistration? {
        if let instance {
            return try connection.first(
                """
                SELECT id, nonce, android_id, created_at, confirmed_at, address, environment, ending
                FROM registrations WHERE instance = ? AND kind = ? AND bundle = ? AND sender = ? AND scope = ?
                    AND subtype IS ? ORDER BY id DESC LIMIT 1
                """, instance, draft.kind.rawValue, names.bundle, names.sender, names.scope, names.subtype
            ) { StoredRegistration($0) }
        }
        guard draft.androidID != 0 else { return nil }
        return try connection.first(
            """
            SELECT id, nonce, android_id, created_at, confirmed_at, address, environment, ending
            FROM registrations WHERE android_id = ? AND android_id <> 0 AND instance IS NULL AND project = ?
                AND kind = ? AND bundle = ? AND sender = ? AND scope = ? AND subtype IS ? ORDER BY id DESC LIMIT 1
            """, draft.androidID, draft.project.value, draft.kind.rawValue, names.bundle, names.sender, names.scope,
            names.subtype
        ) { StoredRegistration($0) }
    }

    private func insert(
        _ stored: StoredRegistration, _ draft: RegistrationDraft, _ names: DraftTexts, instance: Int64?
    ) throws(StoreError) -> Int64 {
        let id = try connection.first(
            """
            INSERT INTO registrations (project, instance, kind, app, bundle, sender, scope, subtype, environment,
                address, nonce, android_id, app_version, sdk_version, created_at, confirmed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """, draft.project.value, instance, draft.kind.rawValue, names.app, names.bundle, names.sender, names.scope,
            names.subtype, stored.address?.environment.code ?? 0, stored.address?.tokenBytes, stored.nonce,
            stored.androidID, names.appVersion, names.sdkVersion, stored.createdAt.milliseconds,
            stored.confirmedAt.milliseconds
        ) { $0.integer(0) }
        return id ?? 0
    }

    private func update(
        _ stored: StoredRegistration, _ draft: RegistrationDraft, _ names: DraftTexts
    ) throws(StoreError) {
        try connection.change(
            """
            UPDATE registrations SET app = ?, environment = ?, address = ?, nonce = ?, android_id = ?, app_version = ?,
                sdk_version = ?, confirmed_at = ?, ending = NULL, ended_at = NULL WHERE id = ?
            """, names.app, stored.address?.environment.code ?? 0, stored.address?.tokenBytes, stored.nonce,
            stored.androidID, names.appVersion, names.sdkVersion, stored.confirmedAt.milliseconds, stored.id)
    }

    private func putWebSubscription(_ channel: Registration.Channel, of id: Int64) throws(StoreError) {
        guard case .web(let endpoint, let p256dh, let auth, let applicationKey) = channel else { return }
        try connection.change(
            """
            INSERT OR REPLACE INTO web_subscriptions (registration, endpoint, p256dh, auth, application_key)
            VALUES (?, ?, ?, ?, ?)
            """, id, endpoint, p256dh, auth, applicationKey)
    }

    /// An APNs token belongs to one app on one device, so an older app instance that has it is gone. The other
    /// registrations of the same instance (for another sender or scope, or from before it registered by FID) stay.
    private func endReplaced(
        by stored: StoredRegistration, at address: APNsAddress, _ draft: RegistrationDraft, _ names: DraftTexts,
        instance: Int64?
    ) throws(StoreError) {
        let sameDeviceWithoutInstance: UInt64? = instance == nil && stored.androidID != 0 ? stored.androidID : nil
        try connection.change(
            """
            UPDATE registrations SET ending = ?, ended_at = ?
            WHERE address = ? AND ending IS NULL AND project = ? AND bundle = ? AND id <> ?
                AND (instance IS NULL OR instance IS NOT ?) AND NOT (instance IS NULL AND android_id IS ?)
            """, Registration.Ending.replaced.code, draft.time.milliseconds, address.tokenBytes, draft.project.value,
            names.bundle, stored.id, instance, sameDeviceWithoutInstance)
        try dropTopicsOfEnded()
    }
}

extension RegistrationDraft {
    /// Whether it is a site in a browser. What waits for that lies in the inbox of its subscription, whichever it was:
    /// a site that registers again after its registration ended gets a new one, for which nothing waits.
    fileprivate var isOfBrowser: Bool {
        if case .web = channel { true } else { false }
    }
}
