import SQLite

/// An error while storing or loading devices.
package struct DeviceStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of error, for programs.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics and messages.
        package var rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: A short label in snake case.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The folder cannot be created or written.
        package static let notWritable = Code(rawValue: "devices_not_writable")
        /// Another process uses the folder.
        package static let inUse = Code(rawValue: "devices_in_use")
        /// The file was written by a newer version of this program.
        package static let newerVersion = Code(rawValue: "devices_newer_version")
        /// The file is not a device database, or is damaged.
        package static let unreadable = Code(rawValue: "devices_unreadable")
        /// The disk is full.
        package static let diskFull = Code(rawValue: "devices_disk_full")
        /// The store is already closed.
        package static let closed = Code(rawValue: "devices_closed")
        /// Any other error; the message is SQLite's.
        package static let failed = Code(rawValue: "devices_failed")
    }

    /// The kind of error.
    package var code: Code
    /// The message: what failed, where, and what to do. Contains no data of devices.
    package var message: String

    /// The message, followed by the code in brackets.
    package var description: String { "\(message) [\(code.rawValue)]" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Runs a database operation and converts its errors, naming the folder instead of the file.
    static func converting<Result>(
        folder: String,
        _ body: () throws(SQLiteError) -> Result
    ) throws(DeviceStoreError) -> Result {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw DeviceStoreError(error, folder: folder)
        }
    }

    private init(_ error: SQLiteError, folder: String) {
        switch error.code {
        case .locked:
            self.init(
                .inUse,
                "another process uses the folder \(folder) for its devices; stop it, or use another folder"
            )
        case .cannotOpen, .readOnly: self.init(.notWritable, error.message)
        case .notADatabase, .corrupt, .mismatch: self.init(.unreadable, error.message)
        case .diskFull: self.init(.diskFull, error.message)
        case .closed: self.init(.closed, error.message)
        default: self.init(.failed, error.message)
        }
    }
}
