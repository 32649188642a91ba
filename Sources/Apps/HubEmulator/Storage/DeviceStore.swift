import FoundationEssentials
import Locks
import SQLite

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

/// Stores registrations, installations, hubs and their access rules across restarts, in one file of a folder.
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

    /// Reads the stored rules and hubs.
    ///
    /// - Returns: The rules and hubs; empty in a new folder.
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
