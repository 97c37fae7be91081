public import PushCore
import PushModel
public import Reports
import Timekeeping

extension SQLiteStore {
    /// Rows that one page looks at, ours or not.
    private static let examinedRows = 5_000

    public func exportedEvents(
        _ query: ExportQuery, after place: ExportPlace?, limit: Int
    ) throws(StoreError) -> ExportPage {
        try readers.read { (connection) throws(StoreError) in
            try connection.readingOneState { () throws(StoreError) in
                let reader = ExportReader(store: self, query: query, connection: connection)
                switch place ?? .deliveries(after: 0) {
                case .deliveries(let id):
                    return try reader.deliveries(after: id, limit: min(limit, Self.examinedRows))
                case .reports(let id): return try reader.reports(after: id, limit: limit)
                }
            }
        }
    }
}

private struct ExportReader {
    let store: SQLiteStore
    let query: ExportQuery
    let connection: Connection

    func deliveries(after id: Int64, limit: Int) throws(StoreError) -> ExportPage {
        let rows = try connection.all(
            """
            SELECT id, message, registration, outcome, time, project FROM delivery_events WHERE id > ?
            ORDER BY id LIMIT ?
            """, id, limit
        ) { row in
            (
                id: row.integer(0), message: row.integer(1), registration: row.integer(2),
                outcome: OutcomeCode(rawValue: row.integer(3)), time: Timestamp(milliseconds: row.integer(4)),
                project: UInt64(bitPattern: row.integer(5))
            )
        }
        var events: [ExportedEvent] = []
        for row in rows where row.project == query.project.value && row.time >= query.from && row.time < query.to {
            guard let outcome = row.outcome else { continue }
            events.append(try event(row.message, row.registration, outcome, row.time))
        }
        let last = rows.count == limit ? rows.last?.id : nil
        return ExportPage(events: events, next: last.map { .deliveries(after: $0) } ?? .reports(after: 0))
    }

    private func event(
        _ message: Int64, _ registration: Int64, _ outcome: OutcomeCode, _ time: Timestamp
    ) throws(StoreError) -> ExportedEvent {
        let recipient = try store.registration(RegistrationID(value: registration))
        let content = try content(of: message)
        let channel = recipient?.channel ?? .device
        return ExportedEvent(
            time: time, project: query.project, messageID: String(message), instanceID: recipient?.fid ?? "",
            messageType: content?.message.isNotification ?? true ? "DISPLAY_NOTIFICATION" : "DATA_MESSAGE",
            platform: recipient.map { $0.platformName } ?? "", appName: recipient?.bundleID ?? "",
            collapseKey: content?.message.exportedCollapseKey ?? "",
            priority: content?.message.exportedPriority(for: channel),
            timeToLive: content.map { max(0, $0.expiresAt.seconds - $0.acceptedAt.seconds) },
            topic: content?.target.topics.first?.text ?? "", bulkID: content?.target.isBulk == true ? message : nil,
            event: outcome.exportedName, label: content?.message.analyticsLabel(for: channel)?.text ?? "")
    }

    private func content(of message: Int64) throws(StoreError) -> ReadMessage? {
        if let known = store.messages.message(message) { return known }
        let stored = try connection.first(
            "SELECT project, accepted_at, expires_at, content FROM messages WHERE id = ?", message
        ) { StoredMessage($0) }
        guard let read = stored?.read else { return nil }
        store.messages.remember(read, as: message)
        return read
    }

    func reports(after id: Int64, limit: Int) throws(StoreError) -> ExportPage {
        let rows = try store.reports(of: query.project, after: id, limit: limit)
        let events = rows.filter { $0.receivedAt >= query.from && $0.receivedAt < query.to }.map { $0.event.exported }
        return ExportPage(
            events: events, next: rows.count == limit ? rows.last.map { .reports(after: $0.id) } : nil)
    }
}

extension ReportedEvent {
    fileprivate var exported: ExportedEvent {
        ExportedEvent(
            time: occurredAt, project: project, messageID: messageID, instanceID: instanceID,
            messageType: messageType == .display ? "DISPLAY_NOTIFICATION" : "DATA_MESSAGE",
            platform: platform.exportedName, appName: appName, topic: topic ?? "", event: kind.name,
            label: analyticsLabel ?? "")
    }
}

extension ReportedEvent.Platform {
    fileprivate var exportedName: String {
        switch self {
        case .unknown: ""
        case .android: "ANDROID"
        case .iOS: "IOS"
        case .web: "WEB"
        }
    }
}

extension Registration {
    fileprivate var platformName: String {
        switch channel {
        case .apple: "IOS"
        case .device: "ANDROID"
        case .web: "WEB"
        }
    }
}

extension SendTarget {
    fileprivate var isBulk: Bool {
        switch self {
        case .topic, .condition, .segment: true
        case .token, .tokens, .fid: false
        }
    }
}

extension Message {
    fileprivate var exportedCollapseKey: String? {
        android?.collapseKey ?? apns?.headers.last { $0.key == "apns-collapse-id" }?.value
    }

    fileprivate func exportedPriority(for channel: Registration.Channel) -> Int {
        if case .apple = channel, let given = apns?.headers.last(where: { $0.key == "apns-priority" })?.value {
            return given == "10" ? 10 : 5
        }
        return android?.priority == .normal || !isNotification && android?.priority == nil ? 5 : 10
    }
}

extension OutcomeCode {
    /// As Google's export names it, where it has a name.
    fileprivate var exportedName: String {
        switch self {
        case .accepted: "MESSAGE_ACCEPTED"
        case .unregistered: "MISSING_REGISTRATIONS"
        case .malformedToken, .noRecipient: "INVALID_REGISTRATION"
        case .senderIDMismatch: "MISMATCH_SENDER_ID"
        case .projectQuotaExceeded, .deviceQuotaExceeded, .topicQuotaExceeded: "QUOTA_EXCEEDED"
        case .packageMismatch: "INVALID_PACKAGE_NAME"
        case .thirdPartyAuthentication: "INVALID_APNS_CREDENTIAL"
        case .invalidArgument, .reservedDataKey: "INVALID_PARAMETERS"
        case .messageTooBig: "PAYLOAD_TOO_LARGE"
        case .timeToLiveOutOfRange: "INVALID_TTL"
        case .unavailable, .internalError: "MESSAGE_RECEIVED_INTERNAL_ERROR"
        case .expired: "MESSAGE_EXPIRED"
        case .superseded: "MESSAGE_COLLAPSED"
        case .discarded: "MESSAGE_DROPPED"
        }
    }
}
