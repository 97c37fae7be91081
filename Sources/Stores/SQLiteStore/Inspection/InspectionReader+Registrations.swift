import PushCore
import PushModel
import Reports
import Timekeeping

extension InspectionReader {
    /// The messages to registrations, newest first, found through `delivery_blocks`.
    func messages(to registrations: Set<RegistrationID>, _ query: MessageQuery) throws(StoreError) -> MessagePage {
        var page = MessagePage(messages: [], next: nil)
        guard !registrations.isEmpty else { return page }
        var top = try newestDelivery() + 1
        if case .beforeDelivery(let id)? = query.place { top = min(top, id.value) }
        let bottom = try connection.integer("SELECT min(id) FROM delivery_events")
        var examined = 0
        var seen: Set<Int64> = []
        while top > 0, examined < Self.blocksExamined {
            let block = DeliveryBlock.number(of: top - 1)
            let first = max(1, block * DeliveryBlock.deliveries)
            for delivery in try deliveries(to: registrations, block: block, from: first, to: top) {
                guard let message = try self.message(of: delivery), seen.insert(message).inserted else { continue }
                guard let found = try self.message(message), found.project == query.project, query.covers(found) else {
                    continue
                }
                page.messages.append(found)
                guard page.messages.count < query.limit else {
                    // The other deliveries of the same message follow one another: they are passed over.
                    let start = try connection.integer(
                        "SELECT first_delivery FROM messages WHERE id = ?", message)
                    page.next = .beforeDelivery(DeliveryID(value: start > 0 ? min(start, delivery) : delivery))
                    return page
                }
            }
            examined += 1
            // Waiting deliveries may be older than every outcome.
            guard first > min(bottom, try oldestWaiting()) else { return page }
            top = first
        }
        page.next = top > 1 ? .beforeDelivery(DeliveryID(value: top)) : nil
        return page
    }

    private func newestDelivery() throws(StoreError) -> Int64 {
        try connection.integer(
            """
            SELECT max(ifnull((SELECT max(id) FROM deliveries), 0), ifnull((SELECT max(id) FROM delivery_events), 0),
                ifnull((SELECT max(delivery) FROM inbox), 0))
            """)
    }

    private func oldestWaiting() throws(StoreError) -> Int64 {
        try connection.integer(
            """
            SELECT min(ifnull((SELECT min(id) FROM deliveries), 9223372036854775807),
                ifnull((SELECT min(delivery) FROM inbox), 9223372036854775807))
            """)
    }

    /// Newest first.
    private func deliveries(
        to registrations: Set<RegistrationID>, block: Int64, from first: Int64, to end: Int64
    ) throws(StoreError) -> [Int64] {
        let indexed = try connection.first(
            "SELECT registrations FROM delivery_blocks WHERE block = ?", block
        ) { row in
            row.withBlob(0) { bytes in
                registrations.flatMap { DeliveryBlock.places(of: $0.value, in: bytes) }
                    .map { $0 + block * DeliveryBlock.deliveries }
            }
        }
        if let indexed { return indexed.filter { $0 >= first && $0 < end }.sorted(by: >) }
        var found: [Int64] = []
        for registration in registrations {
            found += try connection.all(
                """
                SELECT id FROM delivery_events WHERE id >= ?1 AND id < ?2 AND registration = ?3
                UNION SELECT id FROM deliveries WHERE id >= ?1 AND id < ?2 AND registration = ?3
                UNION SELECT delivery FROM inbox
                    WHERE delivery >= ?1 AND delivery < ?2 AND registration = ?3 AND dropped IS NULL
                """, first, end, registration.value
            ) { $0.integer(0) }
        }
        return found.sorted(by: >)
    }

    private func message(of delivery: Int64) throws(StoreError) -> Int64? {
        try connection.first(
            """
            SELECT message FROM delivery_events WHERE id = ?1 UNION ALL SELECT message FROM deliveries WHERE id = ?1
            UNION ALL SELECT message FROM inbox WHERE delivery = ?1 AND dropped IS NULL
            """, delivery
        ) { $0.integer(0) }
    }
}

extension MessageQuery {
    fileprivate func covers(_ message: InspectedMessage) -> Bool {
        (from.map { message.acceptedAt >= $0 } ?? true) && (to.map { message.acceptedAt < $0 } ?? true)
    }
}
