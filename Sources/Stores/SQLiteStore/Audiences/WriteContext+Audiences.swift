import Campaigns
import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    func setProperties(
        _ changes: [String: String?], fid: String, in project: ProjectNumber
    ) throws(StoreError) {
        let instance = try connection.first(
            "SELECT serial FROM instances WHERE fid = ? AND project = ?", InstanceName(fid), project.value
        ) { $0.integer(0) }
        guard let instance else { throw .notFound("There is no such app instance.") }
        for (name, value) in changes {
            if let value {
                try connection.change(
                    "INSERT OR REPLACE INTO instance_properties (instance, name, value, number) VALUES (?, ?, ?, ?)",
                    instance, try texts.id(of: name, on: connection), value, number(value))
            } else if let known = try texts.knownID(of: name, on: connection) {
                try connection.change(
                    "DELETE FROM instance_properties WHERE instance = ? AND name = ?", instance, known)
            }
        }
        let count = try connection.integer("SELECT count(*) FROM instance_properties WHERE instance = ?", instance)
        guard count <= PropertyLimits.perInstance else {
            throw .conflict(
                "An app instance has at most \(PropertyLimits.perInstance) properties. Take some away first.")
        }
    }

    private func number(_ text: String) -> Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Notes that a value occurs in a project.
    func note(_ kind: SegmentValue, _ text: Int64, in project: ProjectNumber) throws(StoreError) {
        guard text != 0 else { return }
        try connection.change(
            "INSERT OR IGNORE INTO segment_values (project, kind, value) VALUES (?, ?, ?)", project.value,
            kind.rawValue, text)
    }

    // MARK: What devices tell

    /// Notes what a device says of itself, for it and for what it registered.
    func noteLocale(_ locale: DeviceLocale, of androidID: UInt64) throws(StoreError) {
        let numbers = try numbers(of: locale)
        try connection.change(
            "UPDATE devices SET language = ?, country = ?, time_zone = ? WHERE android_id = ?", numbers.language,
            numbers.country, numbers.timeZone, androidID)
        try connection.change(
            "UPDATE registrations SET language = ?, country = ?, time_zone = ? WHERE android_id = ? AND android_id <> 0",
            numbers.language, numbers.country, numbers.timeZone, androidID)
        let projects = try connection.all(
            "SELECT DISTINCT project FROM registrations WHERE android_id = ? AND android_id <> 0", androidID
        ) { ProjectNumber(value: UInt64(bitPattern: $0.integer(0))) }
        for project in projects { try note(.timeZone, numbers.timeZone ?? 0, in: project) }
    }

    /// What the device told at check-in, or else what the registration tells.
    func noteAudience(of id: Int64, _ draft: RegistrationDraft, version: Int64) throws(StoreError) {
        try note(version == 0 ? .unversioned : .version, max(1, version), in: draft.project)
        if draft.androidID != 0, try copyLocale(of: draft.androidID, to: id, in: draft.project) { return }
        guard let locale = draft.locale, !locale.isEmpty else { return }
        let numbers = try numbers(of: locale)
        try connection.change(
            """
            UPDATE registrations SET language = ifnull(?, language), country = ifnull(?, country),
                time_zone = ifnull(?, time_zone) WHERE id = ?
            """, numbers.language, numbers.country, numbers.timeZone, id)
        try note(.timeZone, numbers.timeZone ?? 0, in: draft.project)
    }

    /// - Returns: Whether the device told something.
    private func copyLocale(of androidID: UInt64, to id: Int64, in project: ProjectNumber) throws(StoreError) -> Bool {
        let zone = try connection.first(
            """
            UPDATE registrations SET language = d.language, country = d.country, time_zone = d.time_zone
            FROM devices d WHERE d.android_id = ? AND registrations.id = ?
                AND (d.language IS NOT NULL OR d.time_zone IS NOT NULL)
            RETURNING registrations.time_zone
            """, androidID, id
        ) { $0.integer(0) }
        guard let zone else { return false }
        try note(.timeZone, zone, in: project)
        return true
    }

    private func numbers(
        of locale: DeviceLocale
    ) throws(StoreError) -> (language: Int64?, country: Int64?, timeZone: Int64?) {
        func number(_ text: String?) throws(StoreError) -> Int64? {
            guard let text else { return nil }
            return try texts.id(of: text, on: connection)
        }
        return (
            try number(locale.tag?.language), try number(locale.tag?.country), try number(locale.timeZone)
        )
    }

    /// Somebody used the app: noted once an hour.
    func noteEngagement(fid: String, in project: ProjectNumber, at time: Timestamp) throws(StoreError) {
        try connection.change(
            """
            UPDATE instances SET engaged_at = ?1
            WHERE fid = ?2 AND project = ?3 AND ifnull(engaged_at, 0) < ?1 - 3600000
            """, time.milliseconds, InstanceName(fid), project.value)
    }
}
