import PushCore

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
    /// Whether the log may hold pages that are not in the database file.
    private(set) var hasUntidyLog = true
    private var lastCommittedDelivery: Int64
    private let observedLogPages: UnsafeMutablePointer<Int32>

    init(
        connection: Connection, eventRetentionMilliseconds: Int64, registrations: RegistrationCache
    ) throws(StoreError) {
        self.connection = connection
        self.registrations = registrations
        self.eventRetentionMilliseconds = eventRetentionMilliseconds
        lastDelivery = try connection.integer(
            """
            SELECT max(ifnull((SELECT max(id) FROM deliveries), 0), ifnull((SELECT max(id) FROM delivery_events), 0),
                ifnull((SELECT max(delivery) FROM inbox), 0))
            """)
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
        try connection.change("COMMIT")
        registrations.forget(changedRegistrations.takeAll())
        lastCommittedDelivery = lastDelivery
        hasUntidyLog = true
    }

    /// Undoes the transaction, and what was remembered from it.
    func undo() {
        if !connection.isOutsideTransaction { try? connection.execute("ROLLBACK") }
        lastDelivery = lastCommittedDelivery
        if let open = try? Self.openFanOuts(connection) { openFanOuts = open }
        texts.forget()
    }

    /// Undoes the work of one job.
    func undoToSavepoint() throws(StoreError) {
        try connection.change("ROLLBACK TO job")
        texts.forget()
    }

    func logIsTidy() {
        hasUntidyLog = false
    }
}
