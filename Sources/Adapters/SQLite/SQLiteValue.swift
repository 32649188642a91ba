import CSQLite

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
