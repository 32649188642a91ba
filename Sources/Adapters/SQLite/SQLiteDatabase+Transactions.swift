import CSQLite

extension SQLiteDatabase {
    /// Does several things as one: all of them, or none where one throws or the process ends.
    ///
    /// It takes its lock at the start: two writers wait for each other there, and not half-way, where one would have to fail.
    ///
    /// - Parameter body: What to do; no transaction of its own, they do not nest.
    /// - Returns: What the body returned, once it is committed.
    /// - Throws: ``SQLiteError`` of the body, of the beginning or of the commit; everything is rolled back then.
    package func transaction<Result>(
        _ body: () throws(SQLiteError) -> Result
    ) throws(SQLiteError) -> Result {
        guard !isInTransaction else {
            throw SQLiteError(.misuse, "\(path) is in a transaction already; transactions do not nest")
        }
        try run("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // A full disk, say, makes SQLite roll back by itself. What was wrong first is what matters.
            if isInTransaction { try? run("ROLLBACK") }
            throw error
        }
    }

    /// Whether a transaction is under way.
    private var isInTransaction: Bool {
        guard let connection = try? connection() else { return false }
        return sqlite3_get_autocommit(connection) == 0
    }
}
