import PushCore

/// Statements that take several rows at once: to open a table and its indexes costs about as much as a row.
enum RepeatedStatement: Int, CaseIterable {
    case addToInbox, addEvent

    /// Rows that one run takes, when there are that many.
    static let rowsAtOnce = 16

    func sql(rows: Int) -> String {
        "\(head) VALUES \(Array(repeating: "(?, ?, ?, ?, ?, ?, ?)", count: rows).joined(separator: ", "))"
    }

    private var head: String {
        switch self {
        case .addToInbox:
            "INSERT INTO inbox (delivery, device, message, registration, collapse_key, expires_at, may_return)"
        case .addEvent:
            "INSERT OR REPLACE INTO delivery_events (id, message, project, registration, outcome, time, detail)"
        }
    }
}

extension Connection {
    /// Runs the statement for all rows.
    ///
    /// - Parameter bind: Binds the seven values of a row, the first of them at the place.
    func change<Row>(
        _ repeated: RepeatedStatement, _ rows: [Row],
        bind: (Row, _ statement: OpaquePointer, _ place: Int32) throws(StoreError) -> Void
    ) throws(StoreError) {
        var next = 0
        while next < rows.count {
            let isMany = rows.count - next >= RepeatedStatement.rowsAtOnce
            let end = isMany ? next + RepeatedStatement.rowsAtOnce : next + 1
            try withStatement(repeated, isMany: isMany) { (statement) throws(StoreError) in
                var place: Int32 = 1
                for row in rows[next..<end] {
                    try bind(row, statement, place)
                    place += 7
                }
                _ = try step(statement)
            }
            next = end
        }
    }

    /// Binds the values, the first of them at the place.
    func bind<each Value: SQLiteValue>(
        _ values: repeat each Value, to statement: OpaquePointer, from place: Int32
    ) throws(StoreError) {
        var place = place
        for value in repeat each values {
            try check(value.bind(to: statement, at: place))
            place += 1
        }
    }
}
