import FoundationEssentials
import NewsflashBasics
import NewsflashSQLite
import NotificationHubs

/// Stores a hub's changes before they become visible.
package protocol DeviceKeeping: Sendable {
    /// Stores changes: all of them, or none if it throws.
    ///
    /// - Parameter changes: The changes in the order in which they happened. The order of calls is kept.
    /// - Throws: ``DeviceStoreError``; the previous state is then kept.
    func write(_ changes: [DeviceChange]) throws(DeviceStoreError)

    /// Closes the storage; later calls fail.
    func close()
}

/// Stores registrations, installations, hubs, their access rules and scheduled sends across restarts, in one file of a folder.
///
/// The rules contain the keys themselves, so only this user may access the folder.
///
/// A change that ``write(_:)`` has stored survives any end of the process, including `kill -9`, because the operating system
/// has the data. A power failure or a crash of the machine may lose the last moments; it never loses part of a call of
/// ``write(_:)`` and never damages the file (https://www.sqlite.org/pragma.html#pragma_synchronous, NORMAL with a write-ahead
/// log).
///
/// Only one process can use a folder at a time; the system releases the lock if the process is killed. While the store is
/// open, no other part of the same process may open and close its files, because closing would release the lock
/// (https://www.sqlite.org/howtocorrupt.html, 2.2).
package final class DeviceStore: DeviceKeeping {
    /// The folder of the database file.
    package let folder: String
    // Held during a whole transaction, unlike other locks here: every waiting thread wants to write to the same file. A write
    // takes about 50 µs, and occasionally as long as the disk needs to write a thousand pages.
    private let file: Locked<DeviceFile?>

    /// Opens the store of a folder and creates both if needed.
    ///
    /// - Parameters:
    ///   - folder: The folder; created with its parent folders, accessible to this user only.
    ///   - patience: The time to wait for another process that is about to exit.
    /// - Throws: ``DeviceStoreError`` if the folder cannot be created, is in use, or contains data that this version cannot
    ///   read.
    package init(folder: String, patience: Duration = .seconds(2)) throws(DeviceStoreError) {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw DeviceStoreError(
                .notWritable,
                "cannot create the folder \(folder) for devices; give this user write access to its parent folder"
            )
        }
        self.file = Locked(try DeviceFile(folder: folder, patience: patience))
    }

    /// Stores changes: all of them, or none if it throws.
    ///
    /// - Parameter changes: The changes in the order in which they happened. The order of calls is kept.
    /// - Throws: ``DeviceStoreError``; the previous state is then kept.
    package func write(_ changes: [DeviceChange]) throws(DeviceStoreError) {
        guard !changes.isEmpty else { return }
        try use { file throws(SQLiteError) in try file.write(changes) }
    }

    /// Reads the stored rules, hubs and scheduled sends.
    ///
    /// - Returns: The rules, hubs and sends; empty in a new folder.
    /// - Throws: ``DeviceStoreError`` if the file cannot be read.
    package func loadNamespace() throws(DeviceStoreError) -> KeptNamespace {
        try use { file throws(SQLiteError) in try file.loadNamespace() }
    }

    /// Reads all devices: installations, then registrations, each in the order in which they were first stored.
    ///
    /// - Parameter body: Called once for each device; must not use the store.
    /// - Throws: ``DeviceStoreError`` if the file cannot be read; `body` may already have been called.
    package func load(_ body: (StoredDevice) -> Void) throws(DeviceStoreError) {
        try use { file throws(SQLiteError) in try file.load(body) }
    }

    /// Closes the file; later calls fail.
    package func close() {
        file.withLock { file in
            file?.database.close()
            file = nil
        }
    }

    private func use<Result: Sendable>(
        _ body: (DeviceFile) throws(SQLiteError) -> Result
    ) throws(DeviceStoreError) -> Result {
        try file.withLock { file throws(DeviceStoreError) in
            guard let file else { throw DeviceStoreError(.closed, "the devices in \(folder) are already closed") }
            return try DeviceStoreError.converting(folder: folder) { () throws(SQLiteError) in try body(file) }
        }
    }
}

/// An error while storing or loading devices.
package struct DeviceStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of error, for programs.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics and messages.
        package var rawValue: String

        /// Creates a code.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The folder cannot be created or written.
        package static let notWritable = Code(rawValue: "devices_not_writable")
        /// Another process uses the folder.
        package static let inUse = Code(rawValue: "devices_in_use")
        /// The file was written by a newer version of this program.
        package static let newerVersion = Code(rawValue: "devices_newer_version")
        /// The file was written by an older version of this program.
        package static let olderVersion = Code(rawValue: "devices_older_version")
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

/// Changes that could not be stored, in order; they are written again before the next change.
///
/// Only the last change of each device is kept, so that a disk that is full for a day needs no more memory than the devices
/// themselves.
struct UnwrittenChanges {
    private static let fewest = 1024

    /// The changes in the order in which they happened.
    private(set) var changes: [DeviceChange] = []
    private var mostBeforePruning = Self.fewest

    var isEmpty: Bool { changes.isEmpty }

    mutating func append(_ more: [DeviceChange]) {
        changes += more
        guard changes.count > mostBeforePruning else { return }
        prune()
        // Pruning happens again at twice this size, so that it costs amortized constant time per change.
        mostBeforePruning = max(Self.fewest, 2 * changes.count)
    }

    mutating func removeAll() {
        self = UnwrittenChanges()
    }

    /// Drops changes that a later change overrides.
    private mutating func prune() {
        var later: Set<StoredItem> = []
        var emptied: Set<String> = []
        var left: [DeviceChange] = []
        for change in changes.reversed() {
            var isNeeded = false
            if case .removeAll(let hub) = change {
                isNeeded = emptied.insert(hub).inserted
            } else if let item = change.item {
                let isEmptied = [.registration, .installation].contains(item.kind) && emptied.contains(item.hub)
                isNeeded = !isEmptied && later.insert(item).inserted
            }
            if isNeeded { left.append(change) }
        }
        changes = left.reversed()
    }
}
