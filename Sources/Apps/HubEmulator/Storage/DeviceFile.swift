import NewsflashSQLite
import NotificationHubs

// Used only under the lock of the store, so by one thread at a time. Unchecked, because the compiler cannot verify that the
// closures called with loaded devices keep no reference to the file.
/// The open file of a ``DeviceStore``.
struct DeviceFile: @unchecked Sendable {
    static let name = "devices.sqlite"

    let database: SQLiteDatabase
    private let registrations: RegistrationRows
    private let installations: InstallationRows
    private let hubs: HubRows

    init(folder: String, patience: Duration) throws(DeviceStoreError) {
        let configuration = SQLiteConfiguration(busyTimeout: patience, isExclusive: true)
        let database = try DeviceStoreError.converting(folder: folder) { () throws(SQLiteError) in
            try SQLiteDatabase(path: "\(folder)/\(Self.name)", configuration: configuration)
        }
        let problem = try DeviceStoreError.converting(folder: folder) { () throws(SQLiteError) in
            try DeviceSchema.prepare(database)
        }
        if let problem { throw problem }
        self = try DeviceStoreError.converting(folder: folder) { () throws(SQLiteError) in try DeviceFile(database) }
    }

    private init(_ database: SQLiteDatabase) throws(SQLiteError) {
        // A large transaction leaves a large write-ahead log; without this limit the log is never truncated.
        try database.execute("PRAGMA journal_size_limit = 67108864")
        self.database = database
        let templates = try TemplateRows(database)
        registrations = try RegistrationRows(database, templates: templates)
        installations = try InstallationRows(database, templates: templates)
        hubs = try HubRows(database)
    }

    /// Writes the changes in one transaction.
    func write(_ changes: [DeviceChange]) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            for change in changes { try write(change) }
        }
    }

    private func write(_ change: DeviceChange) throws(SQLiteError) {
        switch change {
        case .put(let registration, let installationID, let hub):
            try registrations.put(registration, installationID: installationID, hub: hub)
        case .remove(let id, let hub): try registrations.remove(id, hub: hub)
        case .putInstallation(let installation, let hub): try installations.put(installation, hub: hub)
        case .removeInstallation(let id, let hub): try installations.remove(id, hub: hub)
        case .removeAll(let hub):
            try registrations.removeAll(hub: hub)
            try installations.removeAll(hub: hub)
        case .putHub(let hub): try hubs.put(hub)
        case .removeHub(let name): try hubs.remove(name)
        case .putRules(let rules): try hubs.put(rules)
        }
    }

    /// Reads the stored rules and hubs.
    func loadNamespace() throws(SQLiteError) -> KeptNamespace {
        try hubs.load()
    }

    /// Reads all devices and deletes unused templates.
    func load(_ body: (StoredDevice) -> Void) throws(SQLiteError) {
        var templates = try LoadedTemplates(database)
        var tags = TagReader()
        try installations.load(templates: &templates, tags: &tags) { body(.installation($0, hub: $1)) }
        try registrations.load(templates: &templates, tags: &tags) { registration, installationID, hub in
            body(.registration(registration, installationID: installationID, hub: hub))
        }
        try database.transaction { () throws(SQLiteError) in try templates.dropUnused(of: database) }
    }
}
