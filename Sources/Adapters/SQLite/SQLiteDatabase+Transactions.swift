import CSQLite

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
