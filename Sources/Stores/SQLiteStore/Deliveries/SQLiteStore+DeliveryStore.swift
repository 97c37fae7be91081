public import PushCore
public import PushModel
import Timekeeping

extension SQLiteStore: DeliveryStore {
    public func accept(
        _ message: ValidatedMessage, deliveries: [PlannedDelivery]
    ) async throws(StoreError) -> Acceptance {
        let content = MessageArchive.encode(message.message, target: message.target)
        return try await writer.write(needsSavepoint: false) { (context) throws(StoreError) in
            try context.accept(message, content: content, deliveries: deliveries)
        }
    }

    public func finish(_ outcomes: [FinishedDelivery]) {
        guard !outcomes.isEmpty else { return }
        writer.queue.add(outcomes)
    }

    public func pendingDeliveries(after id: DeliveryID, limit: Int) throws(StoreError) -> [QueuedDelivery] {
        var reader = PendingDeliveries(registrations: registrations, texts: texts, directory: directory.current)
        var found: [QueuedDelivery] = []
        var last = id.value
        while found.count < limit {
            let page = try readers.read { (connection) throws(StoreError) in
                try reader.page(after: last, limit: limit - found.count, on: connection)
            }
            guard let lastOfPage = page.last?.id else { break }
            last = lastOfPage
            found += page.compactMap(\.delivery)
            finish(page.compactMap { reader.lost($0, at: clock.now()) })
        }
        return found
    }

    public func pendingCount() throws(StoreError) -> Int {
        try readers.read { (connection) throws(StoreError) in
            Int(try connection.integer("SELECT count(*) FROM deliveries"))
        }
    }

    public func largestMessageID() throws(StoreError) -> MessageID {
        try readers.read { (connection) throws(StoreError) in
            let waiting = try connection.integer("SELECT max(id) FROM messages")
            // Acceptance follows the order of ids but for requests that raced each other.
            let finished = try connection.integer(
                "SELECT max(message) FROM (SELECT message FROM delivery_events ORDER BY id DESC LIMIT 2000)")
            let fannedOut = try connection.integer("SELECT max(message) FROM fan_outs")
            return MessageID(value: max(waiting, finished, fannedOut))
        }
    }
}
