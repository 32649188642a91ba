import CNewsflashSQLite

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

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

/// A database file that only its owner may read and write (mode 0600).
enum PrivateFile {
    private static let mode: mode_t = 0o600

    /// Creates the file empty, or removes the rights of others from an existing file.
    ///
    /// SQLite opens an empty file as a new database, and gives `-wal` and `-shm` the mode of the file
    /// (https://www.sqlite.org/src/file/src/os_unix.c, `findCreateFileMode`). So others can never read them.
    ///
    /// - Throws: ``SQLiteError`` with the name of the file.
    static func prepare(_ path: String) throws(SQLiteError) {
        // SQLite's name for a database without a file.
        guard path != ":memory:" else { return }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        if descriptor >= 0 {
            close(descriptor)
            return
        }
        // SQLite reports other problems better: a missing folder, missing rights.
        guard errno == EEXIST else { return }
        for file in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            guard stat(file, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
            guard chmod(file, mode) == 0 else {
                let reason = String(cString: strerror(errno))
                throw SQLiteError(
                    .cannotOpen,
                    "others can read \(file), and this cannot be changed: \(reason); run 'chmod 600' on it as its owner"
                )
            }
        }
    }
}

/// How a database file is opened: for reading and writing, and created if it does not exist; its folder must exist.
///
/// A commit survives any end of the process. A power failure may undo the last commits, each as a whole and the newest first,
/// but never damages the file (https://www.sqlite.org/pragma.html#pragma_synchronous, `NORMAL` with a write-ahead log).
package struct SQLiteConfiguration: Sendable, Hashable {
    /// How long to wait for a lock of another connection. Waiting blocks the thread.
    package var busyTimeout: Duration
    /// Whether no other connection may open the file, not even for reading, until it is closed. Needs no shared memory; the
    /// system releases the lock if the process is killed.
    package var isExclusive: Bool

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - busyTimeout: How long to wait for a lock of another connection.
    ///   - isExclusive: Whether no other connection may open the file meanwhile.
    package init(busyTimeout: Duration = .seconds(5), isExclusive: Bool = false) {
        self.busyTimeout = busyTimeout
        self.isExclusive = isExclusive
    }
}

extension SQLiteDatabase {
    /// Performs several operations as one: all of them, or none if one throws or the process ends.
    ///
    /// It takes its lock at the start. So two writers wait for each other there, and not half-way, where one would have to
    /// fail.
    ///
    /// - Parameter body: The operations; must not start a transaction, because transactions do not nest.
    /// - Returns: The result of the body, after the commit.
    /// - Throws: ``SQLiteError`` of the body, the start or the commit; everything is rolled back then.
    package func transaction<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        guard !isInTransaction else {
            throw SQLiteError(.misuse, "\(path) is already in a transaction; transactions do not nest")
        }
        try run("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // SQLite itself may have rolled back, for example because of a full disk. The first error is the important one.
            if isInTransaction { try? run("ROLLBACK") }
            throw error
        }
    }

    /// Whether a transaction is in progress.
    private var isInTransaction: Bool {
        guard let connection = try? connection() else { return false }
        return sqlite3_get_autocommit(connection) == 0
    }
}
