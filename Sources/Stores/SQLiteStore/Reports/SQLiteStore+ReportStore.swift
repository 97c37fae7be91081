public import PushCore
import PushModel
public import Reports
import Timekeeping

extension SQLiteStore: ReportStore {
    public func report(_ query: ReportQuery) throws(StoreError) -> [ReportRow] {
        try readers.read { (connection) throws(StoreError) in
            try connection.readingOneState { () throws(StoreError) in
                guard let filter = try ReportFilter(query, on: connection) else { return [] }
                var rows: [ReportRow] = []
                var last: Int64?
                for count in try filter.counts(on: connection) {
                    if last != count.group {
                        rows.append(ReportRow(key: try key(count.group, query.grouping, connection), counts: .init()))
                        last = count.group
                    }
                    rows[rows.count - 1].counts.add(count.measure, count.number)
                }
                return rows
            }
        }
    }

    private func key(
        _ group: Int64, _ grouping: ReportQuery.Grouping, _ connection: Connection
    ) throws(StoreError) -> String {
        switch grouping {
        case .day: String(Timestamp(seconds: group * 86_400).rfc3339.prefix(10))
        case .campaign: group == 0 ? "" : String(group)
        case .label, .app: try texts.text(group, on: connection)
        }
    }

    public func deliveryData(_ query: DeliveryDataQuery) throws(StoreError) -> [DeliveryDataRow] {
        try readers.read { (connection) throws(StoreError) in
            let app = try connection.first("SELECT id FROM texts WHERE text = ?", query.app) { $0.integer(0) }
            guard let app else { return [] }
            var rows: [DeliveryDataRow] = []
            let counts = try connection.all(
                """
                SELECT c.day, ifnull(t.text, ''), c.measure, sum(c.count) FROM report_counts c
                    LEFT JOIN texts t ON t.id = c.label
                WHERE c.project = ?1 AND c.calendar = 1 AND c.day BETWEEN ?2 AND ?3 AND c.app = ?4
                    AND (?5 IS NULL OR c.day < ?5 OR (c.day = ?5 AND ifnull(t.text, '') > ?6))
                GROUP BY 1, 2, 3 ORDER BY 1 DESC, 2, 3
                """, query.project.value, query.days.lowerBound, query.days.upperBound, app, query.after?.day,
                query.after?.label ?? ""
            ) {
                (
                    day: $0.integer(0), label: $0.text(1), measure: ReportMeasure(code: $0.integer(2)),
                    number: Int($0.integer(3))
                )
            }
            for count in counts {
                if rows.last?.day != count.day || rows.last?.label != count.label {
                    guard rows.count < query.limit else { break }
                    rows.append(DeliveryDataRow(day: count.day, label: count.label))
                }
                rows[rows.count - 1].add(count.measure, count.number)
            }
            return rows
        }
    }
}

/// A query with the numbers of its texts.
private struct ReportFilter {
    let query: ReportQuery
    var app: Int64?
    var label: Int64?

    /// `nil` when a text is in no row, so that nothing can match.
    init?(_ query: ReportQuery, on connection: Connection) throws(StoreError) {
        self.query = query
        guard let app = try Self.number(query.app, on: connection),
            let label = try Self.number(query.label, on: connection)
        else { return nil }
        (self.app, self.label) = (app, label)
    }

    private static func number(_ text: String?, on connection: Connection) throws(StoreError) -> Int64?? {
        guard let text else { return .some(nil) }
        if text.isEmpty { return .some(0) }
        guard let id = try connection.first("SELECT id FROM texts WHERE text = ?", text, read: { $0.integer(0) }) else {
            return nil
        }
        return .some(id)
    }

    struct Count {
        var group: Int64
        var measure: ReportMeasure
        var number: Int
    }

    func counts(on connection: Connection) throws(StoreError) -> [Count] {
        switch query.grouping {
        case .day: try counts(0, on: connection)
        case .campaign: try counts(1, on: connection)
        case .label: try counts(2, on: connection)
        case .app: try counts(3, on: connection)
        }
    }

    /// - Parameter column: Which column groups: day, campaign, label, app.
    private func counts(_ column: Int, on connection: Connection) throws(StoreError) -> [Count] {
        try connection.all(
            """
            SELECT CASE ?1 WHEN 0 THEN day WHEN 1 THEN campaign WHEN 2 THEN label ELSE app END, measure, sum(count)
            FROM report_counts
            WHERE project = ?2 AND calendar = 0 AND day BETWEEN ?3 AND ?4 AND (?5 IS NULL OR campaign = ?5)
                AND (?6 IS NULL OR label = ?6) AND (?7 IS NULL OR app = ?7)
            GROUP BY 1, 2 ORDER BY 1, 2
            """, column, query.project.value, query.days.lowerBound, query.days.upperBound, query.campaign, label, app
        ) { row in
            ReportMeasure(code: row.integer(1)).map {
                Count(group: row.integer(0), measure: $0, number: Int(row.integer(2)))
            }
        }.compactMap { $0 }
    }
}

extension ReportCounts {
    mutating func add(_ measure: ReportMeasure, _ number: Int) {
        switch measure {
        case .targeted: targeted += number
        case .sent: sent += number
        case .accepted: accepted += number
        case .received: received += number
        case .displayed: displayed += number
        case .opened: opened += number
        case .dismissed: dismissed += number
        case .notifications, .delayed: break
        case .ended(let outcome): failures[outcome.reason?.rawValue ?? "ACCEPTED", default: 0] += number
        }
    }
}

extension DeliveryDataRow {
    fileprivate mutating func add(_ measure: ReportMeasure?, _ number: Int) {
        switch measure {
        case .targeted: messages += number
        case .notifications: notifications += number
        case .accepted: delivered += number
        case .delayed: delayed += number
        case .ended(.superseded): collapsed += number
        case .ended(.discarded): droppedTooManyPending += number
        case .ended(.unregistered): droppedDeviceInactive += number
        case .ended(.expired): expired += number
        case .ended: failed += number
        default: break
        }
    }
}

extension OutcomeCode {
    /// `nil` for the good end.
    var reason: FailureReason? {
        switch self {
        case .accepted: nil
        case .expired: .expired
        case .superseded: .superseded
        case .discarded: .discarded
        case .invalidArgument: .invalidArgument
        case .malformedToken: .malformedToken
        case .noRecipient: .noRecipient
        case .unregistered: .unregistered
        case .senderIDMismatch: .senderIDMismatch
        case .messageTooBig: .messageTooBig
        case .reservedDataKey: .reservedDataKey
        case .timeToLiveOutOfRange: .timeToLiveOutOfRange
        case .packageMismatch: .packageMismatch
        case .projectQuotaExceeded: .projectQuotaExceeded
        case .deviceQuotaExceeded: .deviceQuotaExceeded
        case .topicQuotaExceeded: .topicQuotaExceeded
        case .thirdPartyAuthentication: .thirdPartyAuthentication
        case .unavailable: .unavailable
        case .internalError: .internalError
        }
    }
}
