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
