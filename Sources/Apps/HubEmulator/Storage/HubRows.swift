import NotificationHubs
import SQLite
import Timestamps

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
