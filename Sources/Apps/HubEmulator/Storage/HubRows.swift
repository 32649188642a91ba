import NewsflashSQLite
package import NewsflashTimestamps
package import NotificationHubs

/// Writes and reads the tables of hubs and access rules.
struct HubRows {
    private let database: SQLiteDatabase
    private let putHub: SQLiteStatement
    private let removeHub: SQLiteStatement
    private let putRule: SQLiteStatement
    private let removeRules: SQLiteStatement

    init(_ database: SQLiteDatabase) throws(SQLiteError) {
        self.database = database
        putHub = try database.prepare(
            """
            INSERT INTO hubs(name, created, registration_ttl) VALUES (?1, ?2, ?3)
            ON CONFLICT(name) DO UPDATE SET name = ?1, created = ?2, registration_ttl = ?3
            """
        )
        removeHub = try database.prepare("DELETE FROM hubs WHERE name = ?1")
        putRule = try database.prepare(
            "INSERT INTO rules(hub, position, name, key, claims) VALUES (?1, ?2, ?3, ?4, ?5)"
        )
        removeRules = try database.prepare("DELETE FROM rules WHERE hub = ?1")
    }

    func put(_ hub: KeptHub) throws(SQLiteError) {
        try putHub.run(
            .text(hub.name),
            .integer(hub.created.nanoseconds),
            .text(hub.registrationTimeToLive)
        )
        try put(hub.rules, of: hub.name)
    }

    /// Replaces the rules of a hub, or of the namespace if the name is empty.
    func put(_ rules: [AccessRule], of hub: String = "") throws(SQLiteError) {
        try removeRules.run(.text(hub))
        for (position, rule) in rules.enumerated() {
            try putRule.run(
                .text(hub),
                .integer(Int64(position)),
                .text(rule.name),
                .text(rule.key.secretText),
                .text(rule.claims.map(\.rawValue).sorted().joined(separator: ","))
            )
        }
    }

    func remove(_ name: String) throws(SQLiteError) {
        try removeHub.run(.text(name))
        try removeRules.run(.text(name))
    }

    /// Reads all rows.
    func load() throws(SQLiteError) -> KeptNamespace {
        var rules = try loadRules()
        var namespace = KeptNamespace(rules: rules.removeValue(forKey: "") ?? [])
        var rows = try database.prepare("SELECT name, created, registration_ttl FROM hubs ORDER BY key").rows()
        while try rows.next() {
            let name = try rows.text(0)
            let life = try rows.text(2)
            guard (try? RegistrationTimeToLive(life)) != nil else {
                throw rows.mismatch(2, expected: "a duration such as P90D")
            }
            namespace.hubs.append(
                KeptHub(
                    name: name,
                    created: Timestamp(nanoseconds: try rows.integer(1)),
                    rules: rules[HubKey(name).text] ?? [],
                    registrationTimeToLive: life
                )
            )
        }
        return namespace
    }

    /// All rules, by their hub's name in lower case.
    private func loadRules() throws(SQLiteError) -> [String: [AccessRule]] {
        var rules: [String: [AccessRule]] = [:]
        var rows = try database.prepare("SELECT hub, name, key, claims FROM rules ORDER BY hub, position").rows()
        while try rows.next() {
            let claims = try rows.text(3).split(separator: ",").map { Claim(rawValue: String($0)) }
            guard claims.allSatisfy({ $0 != nil }) else { throw rows.mismatch(3, expected: "a list of claims") }
            rules[HubKey(try rows.text(0)).text, default: []].append(
                AccessRule(
                    name: try rows.text(1),
                    key: SharedAccessKey(try rows.text(2)),
                    claims: Set(claims.compactMap(\.self))
                )
            )
        }
        return rules
    }
}

/// The stored data of a namespace, except the devices of its hubs.
package struct KeptNamespace: Sendable, Equatable {
    /// The access rules of the namespace; empty if none were stored.
    package var rules: [AccessRule] = []
    /// The hubs, in the order of their creation.
    package var hubs: [KeptHub] = []
}

/// The stored data of a hub, except its devices.
package struct KeptHub: Sendable, Equatable {
    /// The name as its creator spelled it.
    package var name: String
    /// The time of its creation.
    package var created: Timestamp
    /// The hub's own access rules, in addition to those of the namespace.
    package var rules: [AccessRule]
    /// The lifetime of registrations, as an ISO 8601 duration.
    package var registrationTimeToLive: String

    /// Creates the data of a hub.
    ///
    /// - Parameters:
    ///   - name: The name as its creator spelled it.
    ///   - created: The time of its creation.
    ///   - rules: The hub's own access rules.
    ///   - registrationTimeToLive: The lifetime of registrations, as an ISO 8601 duration.
    package init(
        name: String,
        created: Timestamp,
        rules: [AccessRule],
        registrationTimeToLive: String
    ) {
        self.name = name
        self.created = created
        self.rules = rules
        self.registrationTimeToLive = registrationTimeToLive
    }
}

extension HostedHub {
    /// The data to store.
    var kept: KeptHub {
        KeptHub(name: name, created: created, rules: rules, registrationTimeToLive: timeToLive.text)
    }
}

/// A change to a namespace or to the devices of its hubs, as given to storage.
///
/// Changes to devices compare hub names as written, so use one spelling for each hub.
package enum DeviceChange: Sendable, Equatable {
    /// A registration was created or changed; `installationID` is the installation that it belongs to, if any.
    case put(Registration, installationID: String?, hub: String)
    /// A registration was removed. Does nothing if it did not exist.
    case remove(registrationID: String, hub: String)
    /// An installation was created or changed. Its registrations are separate changes.
    case putInstallation(Installation, hub: String)
    /// An installation was removed. Does nothing if it did not exist. Its registrations stay.
    case removeInstallation(id: String, hub: String)
    /// All registrations and installations of a hub were removed.
    case removeAll(hub: String)
    /// A hub was created or changed; its devices are separate changes.
    case putHub(KeptHub)
    /// A hub was removed. Does nothing if it did not exist. Its devices stay.
    case removeHub(name: String)
    /// The access rules of the namespace were replaced.
    case putRules([AccessRule])
}

/// A stored registration or installation, as read at the start.
package enum StoredDevice: Sendable, Hashable {
    /// A registration, with the installation that it belongs to, if any.
    case registration(Registration, installationID: String?, hub: String)
    /// An installation.
    case installation(Installation, hub: String)
}
