import CSQLite

/// A connection to a database file of SQLite 3.
///
/// Deliberately not `Sendable`, and without a lock: a transaction consists of several calls, so a lock around each call would
/// protect memory but not consistency. Keep it with its user: in an actor, on a thread, or in a lock that is held for a whole
/// transaction. Because the compiler admits only one thread at a time, SQLite's own mutexes are disabled.
///
/// SQL is a `StaticString`: it is part of the source code, and values are only passed as parameters.
///
/// Calls block the thread while the disk works, and while another connection has a lock, up to
/// ``SQLiteConfiguration/busyTimeout``.
package final class SQLiteDatabase {
    /// The path of the file, as given.
    package let path: String
    /// `nil` after closing.
    private var handle: OpaquePointer?
    /// The existing statements. Each keeps the database alive, and is finalized when it closes.
    private var statements: [ObjectIdentifier: WeakStatement] = [:]

    private struct WeakStatement {
        weak var statement: SQLiteStatement?
    }

    /// Opens a file.
    ///
    /// The file gets a write-ahead log (permanently), foreign keys are checked, and the schema is not trusted to call functions
    /// with side effects. Only the owner may read and write the file and its companions.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `-wal` and `-shm` are appended for its companions.
    ///   - configuration: How it is opened.
    /// - Throws: ``SQLiteError``, also for a file that is not a database or is locked.
    package init(path: String, configuration: SQLiteConfiguration = SQLiteConfiguration()) throws(SQLiteError) {
        self.path = path
        // An empty name would be a temporary database.
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw SQLiteError(.cannotOpen, "cannot open a database without a name; give the path of a file")
        }
        guard sqlite3_threadsafe() != 0 else {
            throw SQLiteError(.misuse, "SQLite was built for one thread; use a library built with SQLITE_THREADSAFE=1")
        }
        try PrivateFile.prepare(path)
        let result = sqlite3_open_v2(
            path,
            &handle,
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
            nil
        )
        sqlite3_extended_result_codes(handle, 1)
        guard result == SQLITE_OK else { throw SQLiteError(of: handle, doing: "cannot open \(path)") }
        let milliseconds = configuration.busyTimeout / .milliseconds(1)
        sqlite3_busy_timeout(handle, Int32(max(0, min(milliseconds, Double(Int32.max)))))
        try prepareFile(configuration)
    }

    deinit {
        // Statements keep the database alive, so none is left and this cannot fail.
        sqlite3_close(handle)
    }

    /// Closes the file now, even if statements are left; they throw ``SQLiteError/Code/closed`` from then on.
    ///
    /// A transaction in progress is rolled back. The last connection to close moves the write-ahead log into the file. Without
    /// this call the file is closed when the database and its last statement are released.
    package func close() {
        for entry in statements.values { entry.statement?.finalize() }
        statements = [:]
        sqlite3_close(handle)
        handle = nil
    }

    /// Runs one or more statements without values; their rows are discarded.
    ///
    /// - Parameter sql: The statements, separated by semicolons.
    /// - Throws: ``SQLiteError`` of the first statement that fails; those before it have taken effect.
    package func execute(_ sql: StaticString) throws(SQLiteError) {
        try run(sql.description)
    }

    /// Compiles a statement for repeated use.
    ///
    /// - Parameter sql: One statement, with `?1`, `?2`… for values.
    /// - Returns: The statement, which keeps the database open.
    /// - Throws: ``SQLiteError``
    package func prepare(_ sql: StaticString) throws(SQLiteError) -> SQLiteStatement {
        let statement = try SQLiteStatement(sql.description, of: self, connection: connection())
        statements[ObjectIdentifier(statement)] = WeakStatement(statement: statement)
        return statement
    }

    /// Returns the number that the program stores in the file's header, usually the version of its schema; 0 in a new file.
    ///
    /// - Returns: The number.
    /// - Throws: ``SQLiteError``
    package func userVersion() throws(SQLiteError) -> Int32 {
        let statement = try prepare("PRAGMA user_version")
        var rows = try statement.rows()
        guard try rows.next() else { return 0 }
        return Int32(truncatingIfNeeded: try rows.integer(0))
    }

    /// Stores a number in the file's header; part of a transaction in progress, if any.
    ///
    /// - Parameter version: The number.
    /// - Throws: ``SQLiteError``
    package func setUserVersion(_ version: Int32) throws(SQLiteError) {
        try run("PRAGMA user_version = \(version)")
    }

    /// Runs SQL that this module has composed.
    func run(_ sql: String) throws(SQLiteError) {
        let connection = try connection()
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
            throw SQLiteError(of: connection, doing: "cannot use \(path)")
        }
    }

    /// Returns the open connection.
    func connection() throws(SQLiteError) -> OpaquePointer {
        guard let handle else { throw SQLiteError(.closed, "\(path) was closed before") }
        return handle
    }

    /// Removes a finalized statement.
    func forget(_ statement: ObjectIdentifier) {
        statements[statement] = nil
    }
}

extension SQLiteDatabase {
    private func prepareFile(_ configuration: SQLiteConfiguration) throws(SQLiteError) {
        try run("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
        if configuration.isExclusive { try run("PRAGMA locking_mode = EXCLUSIVE") }
        try useWriteAheadLog()
        try run("PRAGMA synchronous = NORMAL")
        // SQLite opens a file without write permission for reading only, and would report that only at the first write.
        guard sqlite3_db_readonly(try connection(), "main") != 1 else {
            throw SQLiteError(.readOnly, "cannot write \(path); let this user write the file and its folder")
        }
        // The first access to the file: only now is it known to be a database, and locked if it should be.
        _ = try userVersion()
    }

    private func useWriteAheadLog() throws(SQLiteError) {
        let statement = try prepare("PRAGMA journal_mode = WAL")
        var rows = try statement.rows()
        let mode = try rows.next() ? rows.text(0) : "unknown"
        guard mode == "wal" || mode == "memory" else {
            throw SQLiteError(
                .cannotOpen,
                "\(path) cannot have a write-ahead log, its journal mode stays '\(mode)'; use a local file system"
            )
        }
    }
}

@available(*, unavailable, message: "one thread at a time: keep it in an actor, on a thread, or in a lock")
extension SQLiteDatabase: Sendable {}
