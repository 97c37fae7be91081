import PushCore

extension Connection {
    /// Runs a statement that changes rows.
    /// - Returns: How many.
    @discardableResult
    func change<each Value: SQLiteValue>(
        _ sql: StaticString, _ values: repeat each Value
    ) throws(StoreError) -> Int {
        try withStatement(sql, repeat each values) { (statement) throws(StoreError) in
            _ = try step(statement)
            return changedRows
        }
    }

    /// The first row of a query; `nil` when it has none.
    func first<Result, each Value: SQLiteValue>(
        _ sql: StaticString, _ values: repeat each Value, read: (Row) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        try withStatement(sql, repeat each values) { (statement) throws(StoreError) in
            try step(statement) ? try read(Row(of: statement)) : nil
        }
    }

    /// Every row of a query.
    func all<Result, each Value: SQLiteValue>(
        _ sql: StaticString, _ values: repeat each Value, read: (Row) throws(StoreError) -> Result
    ) throws(StoreError) -> [Result] {
        try withStatement(sql, repeat each values) { (statement) throws(StoreError) in
            var results: [Result] = []
            while try step(statement) { results.append(try read(Row(of: statement))) }
            return results
        }
    }

    /// The integer that a query gives; 0 when it gives none.
    func integer<each Value: SQLiteValue>(
        _ sql: StaticString, _ values: repeat each Value
    ) throws(StoreError) -> Int64 {
        try first(sql, repeat each values) { $0.integer(0) } ?? 0
    }

    /// Lets several queries see one state of the database.
    func readingOneState<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try execute("BEGIN")
        defer { try? execute("COMMIT") }
        return try body()
    }
}
