/// How a database file is opened: to read and write, and made where there is none; its folder must exist.
///
/// A commit survives the end of the process, however it ends. A power cut may take the last commits, as a whole and from the
/// end, and never damages the file (https://www.sqlite.org/pragma.html#pragma_synchronous, `NORMAL` with a write-ahead log).
package struct SQLiteConfiguration: Sendable, Hashable {
    /// How long to wait where another connection holds a lock. The waiting blocks the thread.
    package var busyTimeout: Duration
    /// Whether nobody else may open the file, not even to read, from opening to closing. Needs no shared memory, and is
    /// given up by the system where the process is killed.
    package var isExclusive: Bool

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - busyTimeout: How long to wait where another connection holds a lock.
    ///   - isExclusive: Whether nobody else may open the file meanwhile.
    package init(busyTimeout: Duration = .seconds(5), isExclusive: Bool = false) {
        self.busyTimeout = busyTimeout
        self.isExclusive = isExclusive
    }
}
