public import PushCore
public import PushModel
public import Reports
import Timekeeping

extension SQLiteStore {
    public func deliveries(
        of message: MessageID, after id: DeliveryID?, limit: Int
    ) throws(StoreError) -> [InspectedDelivery] {
        try inspecting { (reader) throws(StoreError) in
            var found: [InspectedDelivery] = []
            for range in try reader.ranges(of: message) where range.upperBound > id?.value ?? 0 {
                let first = max(range.lowerBound, (id?.value ?? 0) + 1)
                found += try reader.deliveries(
                    of: message, in: first...range.upperBound, limit: limit - found.count)
                if found.count >= limit { break }
            }
            return found
        }
    }
}

extension InspectionReader {
    private struct DeliveryRow {
        var id, registration: Int64
        var state: InspectedDelivery.State
        var detail = ""
        var endedAt: Timestamp?
    }

    /// Where the deliveries of a message are.
    func ranges(of message: MessageID) throws(StoreError) -> [ClosedRange<Int64>] {
        let own = try connection.first(
            "SELECT first_delivery, last_delivery FROM messages WHERE id = ?", message.value
        ) { (first: $0.integer(0), last: $0.integer(1)) }
        guard let own else { return [] }
        if own.first > 0 { return own.first <= own.last ? [own.first...own.last] : [] }
        return try connection.all(
            "SELECT first, last FROM message_ranges WHERE message = ? AND first <= last ORDER BY first", message.value
        ) { $0.integer(0)...$0.integer(1) }
    }

    func deliveries(
        of message: MessageID, in range: ClosedRange<Int64>, limit: Int
    ) throws(StoreError) -> [InspectedDelivery] {
        var rows = try ended(of: message, in: range, limit: limit)
        rows += try waiting(of: message, in: range, limit: limit)
        var found: [InspectedDelivery] = []
        for row in rows.sorted(by: { $0.id < $1.id }).prefix(limit) {
            let registration = try store.registrationIfAny(row.registration)
            var delivery = InspectedDelivery(
                id: DeliveryID(value: row.id), registration: registration, state: row.state, detail: row.detail,
                endedAt: row.endedAt, tries: try tries(of: row.id))
            if let registration { delivery.reports = try reports(of: message, from: registration) }
            found.append(delivery)
        }
        return found
    }

    private func ended(
        of message: MessageID, in range: ClosedRange<Int64>, limit: Int
    ) throws(StoreError) -> [DeliveryRow] {
        try connection.all(
            """
            SELECT id, registration, outcome, detail, time FROM delivery_events
            WHERE id BETWEEN ? AND ? AND message = ? ORDER BY id LIMIT ?
            """, range.lowerBound, range.upperBound, message.value, limit
        ) { row in
            let reason = OutcomeCode(rawValue: row.integer(2)).map(\.reason) ?? .internalError
            return DeliveryRow(
                id: row.integer(0), registration: row.integer(1), state: reason.map { .failed($0) } ?? .accepted,
                detail: row.outcomeDetail(3), endedAt: Timestamp(milliseconds: row.integer(4)))
        }
    }

    private func waiting(
        of message: MessageID, in range: ClosedRange<Int64>, limit: Int
    ) throws(StoreError) -> [DeliveryRow] {
        let queued = try connection.all(
            "SELECT id, registration FROM deliveries WHERE id BETWEEN ? AND ? AND message = ? ORDER BY id LIMIT ?",
            range.lowerBound, range.upperBound, message.value, limit
        ) { DeliveryRow(id: $0.integer(0), registration: $0.integer(1), state: .waiting) }
        let stored = try connection.all(
            """
            SELECT delivery, registration FROM inbox
            WHERE delivery BETWEEN ? AND ? AND message = ? ORDER BY delivery LIMIT ?
            """, range.lowerBound, range.upperBound, message.value, limit
        ) { DeliveryRow(id: $0.integer(0), registration: $0.integer(1), state: .inInbox) }
        return queued + stored
    }

    private func tries(of delivery: Int64) throws(StoreError) -> [DeliveryTry] {
        try connection.all(
            "SELECT project, time, status, reason FROM delivery_attempts WHERE delivery = ? ORDER BY id LIMIT 100",
            delivery
        ) { row in
            DeliveryTry(
                delivery: DeliveryID(value: delivery),
                project: ProjectNumber(value: UInt64(bitPattern: row.integer(0))),
                time: Timestamp(milliseconds: row.integer(1)), status: Int(row.integer(2)), reason: row.text(3))
        }
    }

    private func reports(
        of message: MessageID, from registration: Registration
    ) throws(StoreError) -> [StoredReport] {
        guard !registration.fid.isEmpty else { return [] }
        return try connection.all(
            """
            SELECT id, kind, message, instance, message_type, platform, app, topic, label, campaign, composer,
                occurred_at, received_at
            FROM reported_events WHERE project = ? AND message = ? AND instance = ? ORDER BY kind
            """, registration.project.value, message.description, registration.fid
        ) { (row) throws(StoreError) in try row.report(of: registration.project) }
    }
}

extension Row {
    /// What `OutcomeDetail` wrote: a UUID is given its usual form again.
    func outcomeDetail(_ column: Int32) -> String {
        guard isBlob(column) else { return text(column) }
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (place, byte) in blob(column).enumerated() {
            if [4, 6, 8, 10].contains(place) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
