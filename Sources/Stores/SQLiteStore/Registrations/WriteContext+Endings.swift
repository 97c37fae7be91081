import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    func end(
        _ id: RegistrationID, _ ending: Registration.Ending, at time: Timestamp
    ) throws(StoreError) {
        try connection.change(
            "UPDATE registrations SET ending = ?, ended_at = ? WHERE id = ? AND ending IS NULL", ending.code,
            time.milliseconds, id.value)
    }

    func endUnregistered(
        _ id: RegistrationID, address: APNsAddress, invalidAt: Timestamp?, at time: Timestamp
    ) throws(StoreError) -> Bool {
        let ended = try connection.change(
            """
            UPDATE registrations SET ending = ?, ended_at = ?
            WHERE id = ? AND ending IS NULL AND address = ? AND environment = ? AND confirmed_at <= ?
            """, Registration.Ending.unregisteredByAPNs.code, time.milliseconds, id.value, address.tokenBytes,
            address.environment.code, invalidAt?.milliseconds ?? .max)
        return ended > 0
    }

    func setEnvironment(_ environment: APNsEnvironment, of id: RegistrationID) throws(StoreError) {
        try connection.change(
            "UPDATE registrations SET environment = ? WHERE id = ? AND address IS NOT NULL", environment.code, id.value)
    }

    func endRegistrations(_ filter: RegistrationFilter, at time: Timestamp) throws(StoreError) -> Int {
        guard filter != RegistrationFilter(), let texts = try FilterTexts(filter, in: self) else { return 0 }
        if let fid = filter.fid { return try endRegistrations(ofFID: fid, filter, texts, at: time) }
        if let androidID = filter.androidID, androidID != 0 {
            return try endRegistrations(ofDevice: androidID, filter, texts, at: time)
        }
        return try endAnyRegistrations(filter, texts, at: time)
    }

    private func endRegistrations(
        ofFID fid: String, _ filter: RegistrationFilter, _ texts: FilterTexts, at time: Timestamp
    ) throws(StoreError) -> Int {
        try connection.change(
            """
            UPDATE registrations SET ending = ?1, ended_at = ?2
            WHERE instance IN (SELECT serial FROM instances WHERE fid = ?7) AND ending IS NULL
                AND (?3 IS NULL OR project = ?3) AND (?4 IS NULL OR bundle = ?4) AND (?5 IS NULL OR sender = ?5)
                AND (?6 IS NULL OR scope = ?6) AND (?8 IS NULL OR android_id = ?8)
            """, Registration.Ending.deletedByApp.code, time.milliseconds, filter.project?.value, texts.bundle,
            texts.sender, texts.scope, InstanceName(fid), filter.androidID)
    }

    private func endRegistrations(
        ofDevice androidID: UInt64, _ filter: RegistrationFilter, _ texts: FilterTexts, at time: Timestamp
    ) throws(StoreError) -> Int {
        try connection.change(
            """
            UPDATE registrations SET ending = ?1, ended_at = ?2
            WHERE android_id = ?7 AND android_id <> 0 AND ending IS NULL
                AND (?3 IS NULL OR project = ?3) AND (?4 IS NULL OR bundle = ?4) AND (?5 IS NULL OR sender = ?5)
                AND (?6 IS NULL OR scope = ?6)
            """, Registration.Ending.deletedByApp.code, time.milliseconds, filter.project?.value, texts.bundle,
            texts.sender, texts.scope, androidID)
    }

    /// Without a FID or a device every registration is looked at.
    private func endAnyRegistrations(
        _ filter: RegistrationFilter, _ texts: FilterTexts, at time: Timestamp
    ) throws(StoreError) -> Int {
        try connection.change(
            """
            UPDATE registrations SET ending = ?1, ended_at = ?2
            WHERE ending IS NULL AND (?3 IS NULL OR project = ?3) AND (?4 IS NULL OR bundle = ?4)
                AND (?5 IS NULL OR sender = ?5) AND (?6 IS NULL OR scope = ?6) AND (?7 IS NULL OR android_id = ?7)
            """, Registration.Ending.deletedByApp.code, time.milliseconds, filter.project?.value, texts.bundle,
            texts.sender, texts.scope, filter.androidID)
    }
}

/// The numbers of a filter's texts; `nil` for a text that the filter does not name.
private struct FilterTexts {
    let bundle, sender, scope: Int64?

    /// `nil` when a text is in no row, so that nothing can match.
    init?(_ filter: RegistrationFilter, in context: WriteContext) throws(StoreError) {
        var ids: [Int64?] = []
        for text in [filter.bundleID, filter.sender, filter.scope] {
            guard let text else {
                ids.append(nil)
                continue
            }
            guard let id = try context.texts.knownID(of: text, on: context.connection) else { return nil }
            ids.append(id)
        }
        (bundle, sender, scope) = (ids[0], ids[1], ids[2])
    }
}
