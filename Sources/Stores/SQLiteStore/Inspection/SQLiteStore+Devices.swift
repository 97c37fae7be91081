public import PushCore
public import PushModel
public import Reports
import Timekeeping

extension SQLiteStore {
    public func devices(_ query: DeviceQuery) throws(StoreError) -> DevicePage {
        let found = try found(query)
        return try inspecting { (reader) throws(StoreError) in
            let devices = try reader.registrations(found.ids).filter { $0.registration.project == query.project }
            return DevicePage(devices: devices, next: found.next.map { RegistrationID(value: $0) })
        }
    }

    private func found(_ query: DeviceQuery) throws(StoreError) -> FoundRegistrations {
        if case .topic(let topic) = query.filter {
            let ids = try members(of: topic, in: query.project, after: query.place, limit: query.limit + 1)
            return FoundRegistrations(ids.map(\.value), limit: query.limit)
        }
        return try readers.read { (connection) throws(StoreError) in
            try connection.readingOneState { () throws(StoreError) in
                try DeviceSearch(connection: connection, query: query).found()
            }
        }
    }

    public func device(_ id: RegistrationID) throws(StoreError) -> InspectedDevice? {
        let topics = try subscriptions(of: id, after: nil, limit: 200)
        return try inspecting { (reader) throws(StoreError) in try reader.device(id, topics: topics) }
    }

    public func inspectedTopic(_ topic: TopicName, in project: ProjectNumber) throws(StoreError) -> InspectedTopic? {
        try inspecting { (reader) throws(StoreError) in
            let row = try reader.connection.first(
                "SELECT id, members FROM topics WHERE project = ? AND name = ?", project.value, topic.text
            ) { (id: $0.integer(0), members: Int($0.integer(1))) }
            guard let row else { return nil }
            let days = try reader.connection.all(
                "SELECT day, joined, left FROM topic_days WHERE topic = ? ORDER BY day DESC LIMIT 90", row.id
            ) { InspectedTopic.Day(day: $0.integer(0), joined: Int($0.integer(1)), left: Int($0.integer(2))) }
            return InspectedTopic(topic: topic, members: row.members, days: days)
        }
    }
}

extension InspectionReader {
    func registrations(_ ids: [Int64]) throws(StoreError) -> [InspectedRegistration] {
        var found: [InspectedRegistration] = []
        for id in ids {
            if let one = try registration(id) { found.append(one) }
        }
        return found
    }

    private func registration(_ id: Int64) throws(StoreError) -> InspectedRegistration? {
        guard let registration = try store.registrationIfAny(id) else { return nil }
        let endedAt = try connection.first(
            "SELECT ended_at FROM registrations WHERE id = ? AND ended_at IS NOT NULL", id
        ) { Timestamp(milliseconds: $0.integer(0)) }
        return InspectedRegistration(registration: registration, endedAt: endedAt)
    }

    func device(_ id: RegistrationID, topics: [TopicSubscription]) throws(StoreError) -> InspectedDevice? {
        guard let own = try registration(id.value) else { return nil }
        let others = try registrations(relatives(of: id))
        let androidID = own.registration.androidID
        let visit = try connection.first(
            "SELECT seen_at, connected_at FROM devices WHERE android_id = ? AND ?1 <> 0", androidID
        ) {
            (
                seen: Timestamp(milliseconds: $0.integer(0)),
                connected: $0.isNull(1) ? nil : Timestamp(milliseconds: $0.integer(1))
            )
        }
        var changes: [RegistrationChange] = []
        for one in [own] + others { changes += try self.changes(of: one.registration.id) }
        let inbox = try inbox(of: id, at: androidID)
        return InspectedDevice(
            registration: own, others: others, topics: topics, changes: changes.sorted { $0.time > $1.time },
            inbox: inbox.rows, pending: inbox.count,
            lastSeen: max(own.registration.confirmedAt, visit?.seen ?? own.registration.confirmedAt),
            connectedAt: visit?.connected, traits: try traits(of: own.registration))
    }

    /// Registrations of the same app instance, or of the same device when there is none.
    private func relatives(of id: RegistrationID) throws(StoreError) -> [Int64] {
        let instance = try connection.first(
            "SELECT instance FROM registrations WHERE id = ? AND instance IS NOT NULL", id.value
        ) { $0.integer(0) }
        if let instance {
            return try connection.all(
                "SELECT id FROM registrations WHERE instance = ? AND id <> ? ORDER BY id DESC LIMIT 50", instance,
                id.value
            ) { $0.integer(0) }
        }
        return try connection.all(
            """
            SELECT id FROM registrations WHERE android_id = (SELECT android_id FROM registrations WHERE id = ?1)
                AND android_id <> 0 AND id <> ?1
                AND project = (SELECT project FROM registrations WHERE id = ?1) ORDER BY id DESC LIMIT 50
            """, id.value
        ) { $0.integer(0) }
    }

    private func inbox(
        of registration: RegistrationID, at androidID: UInt64
    ) throws(StoreError) -> (rows: [(delivery: DeliveryID, message: MessageID, expiresAt: Timestamp)], count: Int) {
        guard androidID != 0 else { return ([], 0) }
        let device = try InboxNumber(of: androidID, on: connection)
        let rows = try connection.all(
            """
            SELECT delivery, message, expires_at FROM inbox
            WHERE device = ? AND registration = ? AND dropped IS NULL ORDER BY delivery LIMIT 1000
            """, device, registration.value
        ) {
            (
                delivery: DeliveryID(value: $0.integer(0)), message: MessageID(value: $0.integer(1)),
                expiresAt: Timestamp(milliseconds: $0.integer(2))
            )
        }
        return (Array(rows.prefix(100)), rows.count)
    }

    private func changes(of registration: RegistrationID) throws(StoreError) -> [RegistrationChange] {
        try connection.all(
            """
            SELECT time, nonce, ending, new_ending, nonce <> new_nonce, address IS NOT new_address,
                address IS NULL, environment <> new_environment
            FROM registration_changes WHERE registration = ? ORDER BY id DESC
            """, registration.value
        ) { row in
            RegistrationChange(
                time: Timestamp(milliseconds: row.integer(0)), registration: registration,
                nonce: UInt64(bitPattern: row.integer(1)), reason: Self.reason(row))
        }
    }

    private static func reason(_ row: Row) -> String {
        if !row.isNull(3) {
            return Registration.Ending(code: row.integer(3))?.text ?? "It ended."
        }
        if !row.isNull(2) { return "The app registered again after the registration had ended: it has a new token." }
        if row.integer(4) != 0 { return "The app moved to another device: it has a new token." }
        if row.integer(5) != 0 {
            return row.integer(6) != 0
                ? "The app told its first APNs token." : "The app told another APNs token; its own token stayed."
        }
        return row.integer(7) != 0 ? "The APNs token turned out to be of the other environment." : "It changed."
    }
}

extension Registration.Ending {
    fileprivate var text: String {
        switch self {
        case .deletedByApp: "The app deleted its token."
        case .installationDeleted: "The app deleted its installation."
        case .replaced: "Another app instance registered with the same APNs token: the app was installed anew."
        case .unregisteredByAPNs: "APNs said that the token is no longer valid: the app was removed."
        case .expired: "It was not used for too long."
        case .unregisteredByPushService: "The browser's push service said that the subscription is gone."
        }
    }
}
