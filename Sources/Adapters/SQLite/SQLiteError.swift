import CNewsflashSQLite

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A request that SQLite refused or could not complete. Use ``code`` for decisions and ``description`` for people.
package struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error, for decisions by programs.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        package var rawValue: String

        /// Creates a code.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file cannot be opened or created.
        package static let cannotOpen = Code(rawValue: "sqlite_cannot_open")
        /// Another connection, usually of another process, has a lock.
        package static let locked = Code(rawValue: "sqlite_locked")
        /// The file, its folder or its disk cannot be written.
        package static let readOnly = Code(rawValue: "sqlite_read_only")
        /// The file is not a database.
        package static let notADatabase = Code(rawValue: "sqlite_not_a_database")
        /// The file is a database, but is damaged.
        package static let corrupt = Code(rawValue: "sqlite_corrupt")
        /// The disk, or the maximum size of the database, is used up.
        package static let diskFull = Code(rawValue: "sqlite_disk_full")
        /// The system failed to read or write.
        package static let inputOutput = Code(rawValue: "sqlite_io")
        /// The row violates a constraint of its table.
        package static let constraint = Code(rawValue: "sqlite_constraint")
        /// A column does not contain the requested type.
        package static let mismatch = Code(rawValue: "sqlite_mismatch")
        /// A value or a row is larger than SQLite allows.
        package static let tooLarge = Code(rawValue: "sqlite_too_large")
        /// Not enough memory is available.
        package static let noMemory = Code(rawValue: "sqlite_no_memory")
        /// The database was closed before.
        package static let closed = Code(rawValue: "sqlite_closed")
        /// An error in the program: its SQL, or the order of its calls.
        package static let misuse = Code(rawValue: "sqlite_misuse")
    }

    /// The kind of error.
    package var code: Code
    /// SQLite's extended result code (https://www.sqlite.org/rescode.html); 0 for errors of this module.
    package var resultCode: Int32
    /// The text for people: what failed, where, and what to do. Contains no values of rows.
    package var message: String

    /// The message with its code.
    package var description: String { "\(message) [\(code.rawValue)]" }

    init(_ code: Code, _ message: String, resultCode: Int32 = 0) {
        self.code = code
        self.message = message
        self.resultCode = resultCode
    }

    /// Creates an error from a connection's last call.
    ///
    /// - Parameters:
    ///   - connection: The connection; `nil` if there was no memory for one.
    ///   - work: The failed operation and its object, such as `cannot open /data/devices.sqlite`.
    init(of connection: OpaquePointer?, doing work: String) {
        let result = connection.map { sqlite3_extended_errcode($0) } ?? SQLITE_NOMEM
        let code = Code(result)
        var detail = String(cString: connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result))
        let systemError = connection.map { sqlite3_system_errno($0) } ?? 0
        if systemError != 0, [.cannotOpen, .inputOutput].contains(code), let text = strerror(systemError) {
            detail += " (\(String(cString: text)))"
        }
        self.init(code, "\(work): \(detail)\(code.advice.map { "; " + $0 } ?? "")", resultCode: result)
    }
}

extension SQLiteError.Code {
    /// Converts a result code, extended or not.
    init(_ result: Int32) {
        self =
            switch result & 0xFF {
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .locked
            case SQLITE_READONLY: .readOnly
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_FULL: .diskFull
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_MISMATCH: .mismatch
            case SQLITE_TOOBIG: .tooLarge
            case SQLITE_NOMEM: .noMemory
            // SQLITE_IOERR_NOMEM, a macro that is not imported.
            case SQLITE_IOERR where result >> 8 == 12: .noMemory
            case SQLITE_IOERR, SQLITE_NOLFS: .inputOutput
            default: .misuse
            }
    }

    /// The remedy, for operators.
    fileprivate var advice: String? {
        switch self {
        case .cannotOpen: "check that the folder exists and that this user may write in it"
        case .locked: "another process or connection uses the file; end it or try again later"
        case .readOnly: "let this user write the file and its folder, and check that the disk accepts writes"
        case .notADatabase: "move the file away or use another one"
        case .corrupt: "restore the file from a copy, or move it away to start again"
        case .diskFull: "make room on the disk and try again"
        case .inputOutput: "check the disk and the system's log"
        case .noMemory: "give the process more memory"
        default: nil
        }
    }
}
