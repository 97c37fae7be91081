import PushCore
import PushModel
import Timekeeping

/// What the writer's thread works on: its connection, and what it remembers between transactions.
// Not Sendable on purpose: it lives and dies with the writer's thread.
final class WriteContext {
    let connection: Connection
    let texts = TextTable()
    private let changedRegistrations = ChangedRegistrations()
    private let registrations: RegistrationCache
    let eventRetentionMilliseconds: Int64
    /// The id of the last delivery that was stored.
    var lastDelivery: Int64
    /// The time of the newest outcome: events are kept for a time counted back from it.
    var newestEvent: Int64
    /// Messages whose deliveries are counted by their fan-out.
    var openFanOuts: Set<Int64>
    var inboxNumbers = InboxNumbers()
    /// Whether the log may hold pages that are not in the database file.
    private(set) var hasUntidyLog = true
    /// What the running transaction counts for reports.
    var tally = ReportTally()
    /// Neighbours are mostly counted at the same place.
    var lastPlace: CountedPlace?
    private var openBlock = OpenDeliveryBlock()
    let retention: MessageRetention
    /// The newest attempt when attempts were last counted.
    var attemptsCheckedAt: Int64 = 0
    /// Where the search for messages that are too old goes on.
    var agedThrough: Int64 = 0
    private let clock: any WallClock
    private var lastCommittedDelivery: Int64
    /// Ids up to this one are set aside in the database.
    private var reservedThrough: Int64
    /// How many ids are set aside at once.
    private static let reservedAtOnce: Int64 = 100_000
    private let observedLogPages: UnsafeMutablePointer<Int32>

    init(
        connection: Connection, eventRetentionMilliseconds: Int64, registrations: RegistrationCache,
        retention: MessageRetention, clock: any WallClock
    ) throws(StoreError) {
        self.connection = connection
        self.retention = retention
        self.clock = clock
        self.registrations = registrations
        self.eventRetentionMilliseconds = eventRetentionMilliseconds
        lastDelivery = try connection.integer(
            """
            SELECT max(ifnull((SELECT max(id) FROM deliveries), 0), ifnull((SELECT max(id) FROM delivery_events), 0),
                ifnull((SELECT max(delivery) FROM inbox), 0),
                ifnull((SELECT value FROM settings WHERE name = 'deliveries-reserved'), 0))
            """)
        reservedThrough = lastDelivery
        lastCommittedDelivery = lastDelivery
        newestEvent = try connection.integer("SELECT time FROM delivery_events ORDER BY id DESC LIMIT 1")
        openFanOuts = try Self.openFanOuts(connection)
        observedLogPages = .allocate(capacity: 1)
        observedLogPages.initialize(to: 0)
        connection.observeLog(observedLogPages)
        changedRegistrations.observe(connection)
    }

    deinit {
        observedLogPages.deallocate()
    }

    /// How many pages the write-ahead log held after the last commit.
    var logPages: Int32 { observedLogPages.pointee }

    /// Makes the transaction durable.
    func commit() throws(StoreError) {
        let reserved = try reserveIDs()
        try tally.write(to: connection, today: clock.now().seconds / 86_400)
        try connection.change("COMMIT")
        reservedThrough = reserved
        registrations.forget(changedRegistrations.takeAll())
        lastCommittedDelivery = lastDelivery
        hasUntidyLog = true
        tally.removeAll()
    }

    /// Sets ids aside, so that a later start goes on after all that were given out. What a device acknowledges by the
    /// number of an earlier delivery must never be another one.
    private func reserveIDs() throws(StoreError) -> Int64 {
        guard lastDelivery > reservedThrough else { return reservedThrough }
        let reserved = lastDelivery &+ Self.reservedAtOnce
        try connection.change("UPDATE settings SET value = ? WHERE name = 'deliveries-reserved'", reserved)
        return reserved
    }

    /// Undoes the transaction, and what was remembered from it.
    func undo() {
        if !connection.isOutsideTransaction { try? connection.execute("ROLLBACK") }
        lastDelivery = lastCommittedDelivery
        tally.removeAll()
        lastPlace = nil
        openBlock.forget()
        if let open = try? Self.openFanOuts(connection) { openFanOuts = open }
        texts.forget()
        inboxNumbers.forget()
    }

    /// Undoes the work of one job.
    func undoToSavepoint() throws(StoreError) {
        try connection.change("ROLLBACK TO job")
        texts.forget()
        inboxNumbers.forget()
        lastPlace = nil
        openBlock.forget()
    }

    /// The number of a delivery that is stored now.
    func nextDelivery(to registration: RegistrationID) throws(StoreError) -> Int64 {
        lastDelivery &+= 1
        if let full = openBlock.add(lastDelivery, of: registration.value) {
            try connection.change(
                "INSERT OR REPLACE INTO delivery_blocks (block, registrations) VALUES (?, ?)", full.number,
                DeliveryBlock.bytes(full.registrations))
        }
        return lastDelivery
    }

    func logIsTidy() {
        hasUntidyLog = false
    }
}
