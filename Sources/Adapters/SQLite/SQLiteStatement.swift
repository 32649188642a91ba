import CSQLite

/// A compiled statement of one database, which can be bound and run repeatedly.
///
/// Keeps its database open; may be used on one thread at a time, together with it.
package final class SQLiteStatement {
    private let database: SQLiteDatabase
    /// `nil` after the database was closed.
    private var handle: OpaquePointer?
    /// Whether its rows are being read.
    private var isRunning = false

    init(_ sql: String, of database: SQLiteDatabase, connection: OpaquePointer) throws(SQLiteError) {
        self.database = database
        var rest = ""
        let result = sql.withCString { start in
            var tail: UnsafePointer<CChar>?
            let result = sqlite3_prepare_v3(connection, start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &tail)
            rest = tail.map { String(cString: $0) } ?? ""
            return result
        }
        guard result == SQLITE_OK else {
            throw SQLiteError(of: connection, doing: "cannot use \(database.path)")
        }
        guard handle != nil, rest.allSatisfy({ $0.isWhitespace || $0 == ";" }) else {
            throw SQLiteError(.misuse, "a statement of \(database.path) is empty or more than one")
        }
    }

    deinit {
        sqlite3_finalize(handle)
        database.forget(ObjectIdentifier(self))
    }

    /// Runs the statement to its end; its rows are discarded.
    ///
    /// - Parameter values: One value for each parameter, in order.
    /// - Returns: The number of rows that it inserted, changed or deleted; meaningless for other statements.
    /// - Throws: ``SQLiteError``
    @discardableResult
    package func run(_ values: SQLiteValue...) throws(SQLiteError) -> Int {
        try begin(values)
        defer { end() }
        while try step() {}
        return Int(sqlite3_changes64(try database.connection()))
    }

    /// Starts a query.
    ///
    /// - Parameter values: One value for each parameter, in order.
    /// - Returns: The rows, before the first one. The statement is in use until they are released.
    /// - Throws: ``SQLiteError``
    package func rows(_ values: SQLiteValue...) throws(SQLiteError) -> SQLiteRows {
        try begin(values)
        return SQLiteRows(self)
    }

    /// Binds the values for a run.
    private func begin(_ values: [SQLiteValue]) throws(SQLiteError) {
        let handle = try open()
        guard !isRunning else {
            throw SQLiteError(.misuse, "a statement of \(database.path) is still returning rows; release them first")
        }
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw SQLiteError(
                .misuse,
                "a statement of \(database.path) takes \(sqlite3_bind_parameter_count(handle)) values, not \(values.count)"
            )
        }
        for (index, value) in values.enumerated() {
            guard value.bind(at: Int32(index + 1), of: handle) == SQLITE_OK else { throw failure() }
        }
        isRunning = true
    }

    /// Moves to the next row.
    ///
    /// - Returns: False after the last row.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(try open()) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    /// Prepares for the next run, and releases the values and the lock on the file.
    func end() {
        isRunning = false
        guard let handle else { return }
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Frees SQLite's statement, because the database closes.
    func finalize() {
        sqlite3_finalize(handle)
        handle = nil
    }

    /// Returns SQLite's statement.
    func open() throws(SQLiteError) -> OpaquePointer {
        guard let handle else { throw SQLiteError(.closed, "\(database.path) was closed before") }
        return handle
    }

    /// Returns the error of a column with an unexpected value.
    func mismatch(_ column: Int, expected: String) -> SQLiteError {
        let name = handle.flatMap { sqlite3_column_name($0, Int32(column)) }.map { String(cString: $0) }
        return SQLiteError(
            .mismatch,
            "\(database.path): the column \(name.map { "'\($0)'" } ?? "\(column)") does not contain \(expected); "
                + "was it written by another program?"
        )
    }

    private func failure() -> SQLiteError {
        SQLiteError(of: handle.flatMap { sqlite3_db_handle($0) }, doing: "cannot use \(database.path)")
    }
}

@available(*, unavailable, message: "one thread at a time, with its database")
extension SQLiteStatement: Sendable {}
