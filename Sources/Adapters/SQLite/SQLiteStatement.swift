import CNewsflashSQLite

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

/// A value that is bound to a parameter of a statement.
package enum SQLiteValue: Sendable, Hashable {
    case null
    case integer(Int64)
    /// Stored byte by byte, even with U+0000.
    case text(String)
    case blob([UInt8])

    /// Returns a text, or null for `nil`.
    package static func text(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }

    /// Returns an integer, or null for `nil`.
    package static func integer(_ value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
}

extension SQLiteValue {
    /// Binds the value; SQLite copies it.
    ///
    /// - Parameters:
    ///   - index: The parameter's index, from 1.
    ///   - statement: A statement that is not running.
    /// - Returns: SQLite's result code.
    func bind(at index: Int32, of statement: OpaquePointer) -> Int32 {
        switch self {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let value): return sqlite3_bind_int64(statement, index, value)
        case .text(var value):
            return value.withUTF8 { buffer in
                csqlite_bind_text(statement, index, buffer.baseAddress, UInt64(buffer.count))
            }
        case .blob(let value):
            return value.withUnsafeBytes { buffer in
                csqlite_bind_blob(statement, index, buffer.baseAddress, UInt64(buffer.count))
            }
        }
    }
}

/// The rows of one query, one at a time.
///
/// ```swift
/// var rows = try statement.rows(.text(hub))
/// while try rows.next() { names.append(try rows.text(0)) }
/// ```
///
/// Columns count from 0. If a column does not contain the requested type, an error is thrown; values are not converted.
package struct SQLiteRows: ~Copyable {
    private let statement: SQLiteStatement
    private var isOnRow = false
    private var isAtEnd = false

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    deinit {
        statement.end()
    }

    /// Moves to the next row.
    ///
    /// - Returns: False after the last row.
    /// - Throws: ``SQLiteError``
    package mutating func next() throws(SQLiteError) -> Bool {
        // Another step would start again.
        guard !isAtEnd else { return false }
        isOnRow = false
        isOnRow = try statement.step()
        isAtEnd = !isOnRow
        return isOnRow
    }

    /// Returns an integer of the row.
    package func integer(_ column: Int) throws(SQLiteError) -> Int64 {
        guard let value = try optionalInteger(column) else { throw mismatch(column, expected: "an integer") }
        return value
    }

    /// Returns an integer of the row, or `nil` for null.
    package func optionalInteger(_ column: Int) throws(SQLiteError) -> Int64? {
        guard let handle = try handle(column, type: SQLITE_INTEGER, expected: "an integer") else { return nil }
        return sqlite3_column_int64(handle, Int32(column))
    }

    /// Returns a text of the row.
    package func text(_ column: Int) throws(SQLiteError) -> String {
        guard let value = try optionalText(column) else { throw mismatch(column, expected: "a text") }
        return value
    }

    /// Returns a text of the row, or `nil` for null.
    package func optionalText(_ column: Int) throws(SQLiteError) -> String? {
        guard let handle = try handle(column, type: SQLITE_TEXT, expected: "a text") else { return nil }
        // The text before its length: in the other order SQLite might convert and move it.
        let start = sqlite3_column_text(handle, Int32(column))
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns bytes of the row.
    package func blob(_ column: Int) throws(SQLiteError) -> [UInt8] {
        guard let value = try optionalBlob(column) else { throw mismatch(column, expected: "bytes") }
        return value
    }

    /// Returns bytes of the row, or `nil` for null.
    package func optionalBlob(_ column: Int) throws(SQLiteError) -> [UInt8]? {
        guard let handle = try handle(column, type: SQLITE_BLOB, expected: "bytes") else { return nil }
        let start = sqlite3_column_blob(handle, Int32(column))
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
    }

    /// Returns the error of a column with an invalid value, for callers that require more than a type.
    ///
    /// - Parameters:
    ///   - column: The column, from 0.
    ///   - expected: The expected content, such as `a list of tags`.
    /// - Returns: An error with the name of the column, but not its value.
    package func mismatch(_ column: Int, expected: String) -> SQLiteError {
        statement.mismatch(column, expected: expected)
    }

    /// Returns the statement if the column contains such a value; `nil` if it is null.
    private func handle(_ column: Int, type: Int32, expected: String) throws(SQLiteError) -> OpaquePointer? {
        let handle = try statement.open()
        guard isOnRow, column >= 0, column < Int(sqlite3_column_count(handle)) else {
            throw mismatch(column, expected: expected)
        }
        let found = sqlite3_column_type(handle, Int32(column))
        guard found == type || found == SQLITE_NULL else { throw mismatch(column, expected: expected) }
        return found == type ? handle : nil
    }
}
