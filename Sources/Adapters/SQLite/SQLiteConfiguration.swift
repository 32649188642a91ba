/// How a database file is opened.
package struct SQLiteConfiguration: Sendable, Hashable {
    /// What is done with the file.
    package enum Access: Sendable, Hashable {
        /// Read and write; the file is made where there is none. Its folder must exist.
        case create
        /// Read and write a file that exists.
        case readWrite
        /// Read only. Pragmas that would change the file are left out.
        case readOnly
    }

    /// What a commit survives (https://www.sqlite.org/pragma.html#pragma_synchronous), with a write-ahead log.
    package enum Durability: Sendable, Hashable {
        /// A commit survives the end of the process, however it ends. A power cut may take the last commits, as a whole
        /// and from the end, and never damages the file.
        case process
        /// A commit survives a power cut as well; each one waits for the disk.
        case power
    }

    /// What is done with the file.
    package var access: Access
    /// How long to wait where another connection holds a lock. The waiting blocks the thread.
    package var busyTimeout: Duration
    /// What a commit survives.
    package var durability: Durability
    /// Whether nobody else may open the file, not even to read, from opening to closing. Needs no shared memory, and is
    /// given up by the system where the process is killed.
    package var isExclusive: Bool

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - access: What is done with the file.
    ///   - busyTimeout: How long to wait where another connection holds a lock.
    ///   - durability: What a commit survives.
    ///   - isExclusive: Whether nobody else may open the file meanwhile.
    package init(
        access: Access = .create,
        busyTimeout: Duration = .seconds(5),
        durability: Durability = .power,
        isExclusive: Bool = false
    ) {
        self.access = access
        self.busyTimeout = busyTimeout
        self.durability = durability
        self.isExclusive = isExclusive
    }
}
