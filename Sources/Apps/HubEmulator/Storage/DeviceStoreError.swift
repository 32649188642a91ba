import SQLite

/// Why devices could not be kept or read back.
package struct DeviceStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, in kinds that a program can decide on.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        package var rawValue: String

        /// Makes a code.
        ///
        /// - Parameter rawValue: A short label in snake case.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The folder cannot be made, or not be written.
        package static let notWritable = Code(rawValue: "devices_not_writable")
        /// Another process uses the folder.
        package static let inUse = Code(rawValue: "devices_in_use")
        /// The file was written by a newer version of this program.
        package static let newerVersion = Code(rawValue: "devices_newer_version")
        /// The file is not one of devices, or is damaged.
        package static let unreadable = Code(rawValue: "devices_unreadable")
        /// The disk is full.
        package static let diskFull = Code(rawValue: "devices_disk_full")
        /// The store was closed before.
        package static let closed = Code(rawValue: "devices_closed")
        /// Anything else; the message has SQLite's words.
        package static let failed = Code(rawValue: "devices_failed")
    }

    /// What went wrong.
    package var code: Code
    /// For a person: what failed, where, and what to do. Holds nothing of any device.
    package var message: String

    /// The message with its label.
    package var description: String { "\(message) [\(code.rawValue)]" }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Does something with SQLite, and says of the folder what SQLite says of a file in it.
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
                "another process keeps its devices in \(folder); end it, or give this one a folder of its own"
            )
        case .cannotOpen, .readOnly: self.init(.notWritable, error.message)
        case .notADatabase, .corrupt, .mismatch: self.init(.unreadable, error.message)
        case .diskFull: self.init(.diskFull, error.message)
        case .closed: self.init(.closed, error.message)
        default: self.init(.failed, error.message)
        }
    }
}
