import CSQLite

/// The rows of one query, one at a time.
///
/// ```swift
/// var rows = try statement.rows(.text(hub))
/// while try rows.next() { names.append(try rows.text(0)) }
/// ```
///
/// Columns count from 0. A column that does not hold the kind of value that is asked for is an error, and is not converted.
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

    /// Goes to the next row.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``SQLiteError``
    package mutating func next() throws(SQLiteError) -> Bool {
        // SQLite would start anew.
        guard !isAtEnd else { return false }
        isOnRow = false
        isOnRow = try statement.step()
        isAtEnd = !isOnRow
        return isOnRow
    }

    /// An integer of the row.
    package func integer(_ column: Int) throws(SQLiteError) -> Int64 {
        guard let value = try optionalInteger(column) else { throw mismatch(column, expected: "an integer") }
        return value
    }

    /// An integer of the row, or nothing for null.
    package func optionalInteger(_ column: Int) throws(SQLiteError) -> Int64? {
        guard let handle = try handle(column, type: SQLITE_INTEGER, expected: "an integer") else { return nil }
        return sqlite3_column_int64(handle, Int32(column))
    }

    /// A text of the row.
    package func text(_ column: Int) throws(SQLiteError) -> String {
        guard let value = try optionalText(column) else { throw mismatch(column, expected: "a text") }
        return value
    }

    /// A text of the row, or nothing for null.
    package func optionalText(_ column: Int) throws(SQLiteError) -> String? {
        guard let handle = try handle(column, type: SQLITE_TEXT, expected: "a text") else { return nil }
        // The text before its length: the other way round SQLite might convert, and move it.
        let start = sqlite3_column_text(handle, Int32(column))
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Bytes of the row.
    package func blob(_ column: Int) throws(SQLiteError) -> [UInt8] {
        guard let value = try optionalBlob(column) else { throw mismatch(column, expected: "bytes") }
        return value
    }

    /// Bytes of the row, or nothing for null.
    package func optionalBlob(_ column: Int) throws(SQLiteError) -> [UInt8]? {
        guard let handle = try handle(column, type: SQLITE_BLOB, expected: "bytes") else { return nil }
        let start = sqlite3_column_blob(handle, Int32(column))
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
    }

    /// The error of a column whose value is not what it should be, for whoever reads more out of it than its kind.
    ///
    /// - Parameters:
    ///   - column: From 0.
    ///   - expected: What it should hold: `a list of tags`.
    /// - Returns: An error that names the column, and not the value.
    package func mismatch(_ column: Int, expected: String) -> SQLiteError {
        statement.mismatch(column, expected: expected)
    }

    /// The statement where the column holds such a value; nothing where it holds null.
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
