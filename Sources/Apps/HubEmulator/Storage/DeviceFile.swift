import NewsflashSQLite
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs

// Used only under the lock of the store, so by one thread at a time. Unchecked, because the compiler cannot verify that the
// closures called with loaded devices keep no reference to the file.
/// The open file of a ``DeviceStore``: one table, a row of JSON for each registration, installation, hub and scheduled send.
///
/// The rows are in the order in which they were first stored, not in that of their ids, which are random: so the file is
/// written at its end and read from its beginning.
struct DeviceFile: @unchecked Sendable {
    static let name = "devices.sqlite"
    /// The version of the table that this program writes, and the only one that it reads.
    static let version: Int32 = 3

    let database: SQLiteDatabase
    private let put: SQLiteStatement
    private let remove: SQLiteStatement
    private let removeDevices: SQLiteStatement

    init(folder: String, patience: Duration) throws(DeviceStoreError) {
        let configuration = SQLiteConfiguration(busyTimeout: patience, isExclusive: true)
        let database = try DeviceStoreError.converting(folder: folder) { () throws(SQLiteError) in
            try SQLiteDatabase(path: "\(folder)/\(Self.name)", configuration: configuration)
        }
        let problem = try DeviceStoreError.converting(folder: folder) { () throws(SQLiteError) in
            try Self.prepare(database)
        }
        if let problem { throw problem }
        self = try DeviceStoreError.converting(folder: folder) { () throws(SQLiteError) in try DeviceFile(database) }
    }

    private init(_ database: SQLiteDatabase) throws(SQLiteError) {
        // A large transaction leaves a large write-ahead log; without this limit the log is never truncated.
        try database.execute("PRAGMA journal_size_limit = 67108864")
        self.database = database
        put = try database.prepare(
            """
            INSERT INTO items(kind, hub, id, value) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT(kind, hub, id) DO UPDATE SET value = ?4
            """
        )
        remove = try database.prepare("DELETE FROM items WHERE kind = ?1 AND hub = ?2 AND id = ?3")
        removeDevices = try database.prepare("DELETE FROM items WHERE kind = ?1 AND hub = ?2")
    }

    /// Creates the table in a new file. Rejects other files.
    ///
    /// - Returns: The problem with the file; `nil` if it is ready.
    private static func prepare(_ database: SQLiteDatabase) throws(SQLiteError) -> DeviceStoreError? {
        let found = try database.userVersion()
        if found == version { return nil }
        guard found <= version else {
            return DeviceStoreError(
                .newerVersion,
                "\(database.path) was written by a newer version of this program (table version \(found), "
                    + "supported up to \(version)); use the newer program, or another folder"
            )
        }
        guard found == 0 else {
            return DeviceStoreError(
                .olderVersion,
                "\(database.path) was written by an older version of this program (table version \(found), "
                    + "supported from \(version)); delete it, or use another folder: apps register again"
            )
        }
        var rows = try database.prepare("SELECT 1 FROM sqlite_schema").rows()
        guard try !rows.next() else {
            return DeviceStoreError(
                .unreadable,
                "\(database.path) is the database of another program; move it away, or use another folder"
            )
        }
        try database.transaction { () throws(SQLiteError) in
            try database.execute(
                """
                CREATE TABLE items(
                    key INTEGER PRIMARY KEY,
                    kind TEXT NOT NULL,
                    hub TEXT NOT NULL,
                    id TEXT NOT NULL,
                    value TEXT NOT NULL,
                    UNIQUE(kind, hub, id)
                ) STRICT
                """
            )
            try database.setUserVersion(version)
        }
        return nil
    }

    /// Writes the changes in one transaction.
    func write(_ changes: [DeviceChange]) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            for change in changes { try write(change) }
        }
    }

    private func write(_ change: DeviceChange) throws(SQLiteError) {
        guard let item = change.item else {
            guard case .removeAll(let hub) = change else { return }
            for kind in [StoredItem.Kind.registration, .installation] {
                try removeDevices.run(.text(kind.rawValue), .text(hub))
            }
            return
        }
        let key = (
            kind: SQLiteValue.text(item.kind.rawValue), hub: SQLiteValue.text(item.hub), id: SQLiteValue.text(item.id)
        )
        if let value = change.value {
            try put.run(key.kind, key.hub, key.id, .text(String(decoding: value, as: UTF8.self)))
        } else {
            try remove.run(key.kind, key.hub, key.id)
        }
    }

    /// Reads the stored rules and hubs.
    func loadNamespace() throws(SQLiteError) -> KeptNamespace {
        var namespace = KeptNamespace()
        try load(.rules, { [AccessRule](stored: $0[member: "rules"]) }) { rules, _ in namespace.rules = rules }
        try load(.hub, KeptHub.init(stored:)) { hub, _ in namespace.hubs.append(hub) }
        try load(.send, SendRecord.init(stored:)) { send, _ in namespace.sends.append(send) }
        return namespace
    }

    /// Reads all devices.
    func load(_ body: (StoredDevice) -> Void) throws(SQLiteError) {
        try load(.installation, Installation.init(stored:)) { body(.installation($0, hub: $1)) }
        try load(.registration, StoredRegistration.init(stored:)) {
            body(.registration($0.registration, installationID: $0.installationID, hub: $1))
        }
    }

    private func load<Item>(
        _ kind: StoredItem.Kind,
        _ read: (JSONValue) -> Item?,
        _ body: (Item, _ hub: String) -> Void
    ) throws(SQLiteError) {
        var rows = try database.prepare("SELECT hub, value FROM items WHERE kind = ?1 ORDER BY key")
            .rows(.text(kind.rawValue))
        while try rows.next() {
            guard let value = try? JSONReader.read(try rows.text(1)), let item = read(value) else {
                throw rows.mismatch(1, expected: "a stored \(kind.rawValue)")
            }
            body(item, try rows.text(0))
        }
    }
}

/// The key of a row.
struct StoredItem: Hashable {
    enum Kind: String {
        case registration, installation, hub, rules, send
    }

    let kind: Kind
    /// The hub as the change names it; empty for hubs themselves.
    let hub: String
    /// The id; in lower case if the hub ignores case.
    let id: String

    init(_ kind: Kind, _ id: String, hub: String = "") {
        self.kind = kind
        self.hub = hub
        self.id = id
    }
}

extension DeviceChange {
    /// The row that changes; `nil` for ``removeAll(hub:)``.
    var item: StoredItem? {
        switch self {
        case .put(let registration, _, let hub): StoredItem(.registration, registration.id, hub: hub)
        case .remove(let id, let hub): StoredItem(.registration, id, hub: hub)
        // Ids of installations are ASCII.
        case .putInstallation(let installation, let hub):
            StoredItem(.installation, installation.id.lowercased(), hub: hub)
        case .removeInstallation(let id, let hub): StoredItem(.installation, id.lowercased(), hub: hub)
        case .removeAll: nil
        case .putHub(let hub): StoredItem(.hub, HubKey(hub.name).text)
        case .removeHub(let name): StoredItem(.hub, HubKey(name).text)
        case .putRules: StoredItem(.rules, "")
        case .putSend(let send): StoredItem(.send, send.notificationID)
        case .removeSend(let id): StoredItem(.send, id)
        }
    }

    /// The new value of the row; `nil` to remove it.
    fileprivate var value: [UInt8]? {
        var writer = JSONWriter()
        switch self {
        case .put(let registration, let installationID, _):
            writer.stored(registration, installationID: installationID)
        case .putInstallation(let installation, _): writer.stored(installation)
        case .putHub(let hub): writer.stored(hub)
        case .putRules(let rules):
            writer.beginObject()
            writer.stored(rules)
            writer.endObject()
        case .putSend(let send): writer.stored(send)
        case .remove, .removeInstallation, .removeAll, .removeHub, .removeSend: return nil
        }
        return writer.bytes
    }
}
