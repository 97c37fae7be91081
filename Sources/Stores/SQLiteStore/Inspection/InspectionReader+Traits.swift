import PushCore
import PushModel
import Reports
import Timekeeping

extension InspectionReader {
    /// What segments ask about, as `SegmentQuery` has it.
    func traits(of registration: Registration) throws(StoreError) -> InspectedTraits {
        var traits = InspectedTraits(
            language: nil, country: nil, timeZone: nil, firstOpenedAt: registration.createdAt, engagedAt: nil,
            properties: try properties(of: registration.id))
        let row = try connection.first(
            """
            SELECT l.text, c.text, z.text, i.created_at, i.engaged_at
            FROM registrations r LEFT JOIN instances i ON i.serial = r.instance
                LEFT JOIN texts l ON l.id = r.language LEFT JOIN texts c ON c.id = r.country
                LEFT JOIN texts z ON z.id = r.time_zone
            WHERE r.id = ?
            """, registration.id.value
        ) { (language: $0.told(0), country: $0.told(1), zone: $0.told(2), opened: $0.moment(3), used: $0.moment(4)) }
        guard let row else { return traits }
        (traits.language, traits.country, traits.timeZone) = (row.language, row.country, row.zone)
        traits.firstOpenedAt = row.opened ?? registration.createdAt
        traits.engagedAt = row.used
        return traits
    }

    private func properties(of id: RegistrationID) throws(StoreError) -> [String: String] {
        let pairs = try connection.all(
            """
            SELECT t.text, p.value FROM registrations r JOIN instance_properties p ON p.instance = r.instance
                JOIN texts t ON t.id = p.name
            WHERE r.id = ?
            """, id.value
        ) { ($0.text(0), $0.text(1)) }
        return Dictionary(pairs, uniquingKeysWith: { $1 })
    }
}

extension Row {
    fileprivate func told(_ column: Int32) -> String? {
        let text = isNull(column) ? "" : text(column)
        return text.isEmpty ? nil : text
    }

    fileprivate func moment(_ column: Int32) -> Timestamp? {
        isNull(column) ? nil : Timestamp(milliseconds: integer(column))
    }
}
