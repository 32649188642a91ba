import CSQLite

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
