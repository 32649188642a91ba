#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A database file that only its owner may read and write (mode 0600).
enum PrivateFile {
    private static let mode: mode_t = 0o600

    /// Creates the file empty, or removes the rights of others from an existing file.
    ///
    /// SQLite opens an empty file as a new database, and gives `-wal` and `-shm` the mode of the file
    /// (https://www.sqlite.org/src/file/src/os_unix.c, `findCreateFileMode`). So others can never read them.
    ///
    /// - Parameter path: The path of the database file.
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
