import CSQLite
import PushCore

extension Connection {
    /// Prepares a statement that was put together for this one time, binds the values and lends it.
    ///
    /// - Parameter sql: Text of our own; what comes from outside is among the values.
    func withComposedStatement<Result>(
        _ sql: String, _ values: [any SQLiteValue], body: (OpaquePointer) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let statement = try prepareOnce(sql)
        defer { sqlite3_finalize(statement) }
        for (place, value) in values.enumerated() {
            try check(value.bind(to: statement, at: Int32(place + 1)))
        }
        return try body(statement)
    }

    /// Every row of a composed query.
    func all<Result>(
        composed sql: String, _ values: [any SQLiteValue], read: (Row) throws(StoreError) -> Result
    ) throws(StoreError) -> [Result] {
        try withComposedStatement(sql, values) { (statement) throws(StoreError) in
            var results: [Result] = []
            while try step(statement) { results.append(try read(Row(of: statement))) }
            return results
        }
    }
}
