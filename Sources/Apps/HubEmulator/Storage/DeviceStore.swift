import FoundationEssentials
import Locks
import SQLite

/// Where a hub's changes go before anyone hears of them.
package protocol DeviceKeeping: Sendable {
    /// Keeps changes: all of them, or none where it throws.
    ///
    /// - Parameter changes: In the order in which they happened. Calls keep theirs.
    /// - Throws: ``DeviceStoreError``, where what was there before still is.
    func write(_ changes: [DeviceChange]) throws(DeviceStoreError)

    /// Gives the place up; calls fail from then on.
    func close()
}

/// Keeps registrations, installations, hubs and their access rules over restarts, in one file of a folder.
///
/// The rules are the keys themselves, so the folder is this user's alone.
///
/// What ``write(_:)`` has returned from survives the end of the process however it ends, `kill -9` included: it lies in the
/// system's hands. A power cut, or the crash of the machine, may take the last moments; it never takes half of a call of
/// ``write(_:)`` and never damages the file (https://www.sqlite.org/pragma.html#pragma_synchronous, NORMAL with a
/// write-ahead log).
///
/// One process at a time uses a folder; the system gives the lock up where the process is killed. While the store is open,
/// no other part of the same process may open and close its files: that would give the lock up as well
/// (https://www.sqlite.org/howtocorrupt.html, 2.2).
package final class DeviceStore: DeviceKeeping {
    /// Where the file lies.
    package let folder: String
    // Held over a whole transaction, unlike other locks here: whoever waits for it waits to write to the same file. A
    // write takes some 50 µs, and now and then as long as the disk needs to take in a thousand pages.
    private let file: Locked<DeviceFile?>

    /// Opens the store of a folder; makes both where there are none.
    ///
    /// - Parameters:
    ///   - folder: Made with all folders above it, for this user only.
    ///   - patience: How long to wait for another process that is about to end.
    /// - Throws: ``DeviceStoreError`` where the folder is not to be had, is in use, or holds what this version cannot read.
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
                "cannot make the folder \(folder) for devices; let this user write the folder above it"
            )
        }
        self.file = Locked(try DeviceFile(folder: folder, patience: patience))
    }

    /// Keeps changes: all of them, or none where it throws.
    ///
    /// - Parameter changes: In the order in which they happened. Calls keep theirs.
    /// - Throws: ``DeviceStoreError``, where what was there before still is.
    package func write(_ changes: [DeviceChange]) throws(DeviceStoreError) {
        guard !changes.isEmpty else { return }
        try use { file throws(SQLiteError) in try file.write(changes) }
    }

    /// Gives what is kept beside devices.
    ///
    /// - Returns: Empty in a new folder.
    /// - Throws: ``DeviceStoreError``
    package func loadNamespace() throws(DeviceStoreError) -> KeptNamespace {
        try use { file throws(SQLiteError) in try file.loadNamespace() }
    }

    /// Gives all devices: installations, then registrations, each in the order in which they were first put.
    ///
    /// - Parameter body: Called once for each; must not use the store.
    /// - Throws: ``DeviceStoreError``; the body may have been called before.
    package func load(_ body: (StoredDevice) -> Void) throws(DeviceStoreError) {
        try use { file throws(SQLiteError) in try file.load(body) }
    }

    /// Closes the file; calls fail from then on.
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
            guard let file else { throw DeviceStoreError(.closed, "the devices in \(folder) were closed before") }
            return try DeviceStoreError.converting(folder: folder) { () throws(SQLiteError) in try body(file) }
        }
    }
}
