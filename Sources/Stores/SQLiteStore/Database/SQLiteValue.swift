import CSQLite

/// A value that can stand for a `?` of a statement. SQLite takes a copy.
protocol SQLiteValue {
    /// - Parameter place: Counts from 1.
    /// - Returns: SQLite's result code.
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32
}

extension Int64: SQLiteValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        sqlite3_bind_int64(statement, place, self)
    }
}

extension Int: SQLiteValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        sqlite3_bind_int64(statement, place, Int64(self))
    }
}

/// Numbers beyond 2⁶³−1 keep their bits.
extension UInt64: SQLiteValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        sqlite3_bind_int64(statement, place, Int64(bitPattern: self))
    }
}

extension String: SQLiteValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { csqlite_bind_text(statement, place, $0.baseAddress, UInt64($0.count)) }
    }
}

extension [UInt8]: SQLiteValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        withUnsafeBytes { csqlite_bind_blob(statement, place, $0.baseAddress, UInt64($0.count)) }
    }
}

extension Optional: SQLiteValue where Wrapped: SQLiteValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        switch self {
        case .some(let value): value.bind(to: statement, at: place)
        case .none: sqlite3_bind_null(statement, place)
        }
    }
}

extension Double: SQLiteValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        sqlite3_bind_double(statement, place, self)
    }
}
