import CSQLite

/// A connection to a database file of SQLite 3.
///
/// Deliberately not `Sendable`, and without a lock of its own: a transaction is several calls that belong together, so a
/// lock around each call would guard memory and not meaning. Keep it with what it belongs to: in an actor, on a thread,
/// or in a lock that is meant to be held over a whole transaction. As the compiler lets one thread in at a time, SQLite is
/// told to leave out its own mutexes.
///
/// SQL is a `StaticString`: it stands in the source, and values reach it only as parameters.
///
/// Calls block the thread for as long as the disk takes, and for as long as another connection holds a lock, up to
/// ``SQLiteConfiguration/busyTimeout``.
package final class SQLiteDatabase {
    /// Of the file, as given.
    package let path: String
    /// Nothing once closed.
    private var handle: OpaquePointer?
    /// Those that live; each holds the database, and is finalized when it closes.
    private var statements: [ObjectIdentifier: WeakStatement] = [:]

    private struct WeakStatement {
        weak var statement: SQLiteStatement?
    }

    /// Opens a file.
    ///
    /// The file gets a write-ahead log (it stays with it), foreign keys are checked, and what the schema says is not
    /// trusted to call functions with side effects. Only the owner may read and write the file and those beside it.
    ///
    /// - Parameters:
    ///   - path: Of the file; `-wal` and `-shm` are added for the files beside it.
    ///   - configuration: How it is opened.
    /// - Throws: ``SQLiteError``, also for a file that is no database or is locked.
    package init(path: String, configuration: SQLiteConfiguration = SQLiteConfiguration()) throws(SQLiteError) {
        self.path = path
        // An empty name would be a database that is gone when it closes.
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
        // Statements hold the database, so none is left and this cannot fail.
        sqlite3_close(handle)
    }

    /// Closes the file now, whatever statements are left; they say ``SQLiteError/Code/closed`` from then on.
    ///
    /// A transaction that is under way is rolled back. The last connection to close moves the write-ahead log into the
    /// file. Without this call the file closes when the database and its last statement are let go.
    package func close() {
        for entry in statements.values { entry.statement?.finalize() }
        statements = [:]
        sqlite3_close(handle)
        handle = nil
    }

    /// Runs one or more statements that take no values; rows that they give are dropped.
    ///
    /// - Parameter sql: Separated by semicolons.
    /// - Throws: ``SQLiteError`` of the first that fails; those before it have been done.
    package func execute(_ sql: StaticString) throws(SQLiteError) {
        try run(sql.description)
    }

    /// Compiles a statement, to be run as often as needed.
    ///
    /// - Parameter sql: One statement, with `?1`, `?2`… for values.
    /// - Returns: The statement, which keeps the database open.
    /// - Throws: ``SQLiteError``
    package func prepare(_ sql: StaticString) throws(SQLiteError) -> SQLiteStatement {
        let statement = try SQLiteStatement(sql.description, of: self, connection: connection())
        statements[ObjectIdentifier(statement)] = WeakStatement(statement: statement)
        return statement
    }

    /// The number that the program keeps in the file's header, mostly the version of its schema; 0 in a new file.
    ///
    /// - Returns: The number.
    /// - Throws: ``SQLiteError``
    package func userVersion() throws(SQLiteError) -> Int32 {
        let statement = try prepare("PRAGMA user_version")
        var rows = try statement.rows()
        guard try rows.next() else { return 0 }
        return Int32(truncatingIfNeeded: try rows.integer(0))
    }

    /// Keeps a number in the file's header; part of the transaction that is under way, if there is one.
    ///
    /// - Parameter version: The number.
    /// - Throws: ``SQLiteError``
    package func setUserVersion(_ version: Int32) throws(SQLiteError) {
        try run("PRAGMA user_version = \(version)")
    }

    /// Runs SQL that was put together here.
    func run(_ sql: String) throws(SQLiteError) {
        let connection = try connection()
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
            throw SQLiteError(of: connection, doing: "cannot use \(path)")
        }
    }

    /// The open connection.
    func connection() throws(SQLiteError) -> OpaquePointer {
        guard let handle else { throw SQLiteError(.closed, "\(path) was closed before") }
        return handle
    }

    /// Drops a statement that is finalized.
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
        // SQLite opens a file that it may not write for reading, and would say so at the first write only.
        guard sqlite3_db_readonly(try connection(), "main") != 1 else {
            throw SQLiteError(.readOnly, "cannot write \(path); let this user write the file and its folder")
        }
        // A first look at the file: only now is it known to be a database, and locked where it shall be.
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
