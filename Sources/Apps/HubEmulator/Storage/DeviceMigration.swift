import SQLite

/// Brings the tables of older versions up to date, within a transaction of the caller's.
enum DeviceMigration {
    private struct Row {
        var key: Int64
        var hub: String
        var id: String
    }

    /// Gives version 1 what version 2 has: one row for all spellings of an installation's id, hubs and access rules.
    static func fromVersion1(_ database: SQLiteDatabase) throws(SQLiteError) {
        try database.execute("ALTER TABLE installations RENAME TO old_installations")
        try DeviceSchema.createInstallations(database)
        try DeviceSchema.createHubs(database)
        try dropOlderSpellings(of: database)
        try database.execute(
            """
            INSERT INTO installations SELECT key, hub, id, user_id, platform, handle, channel_part_2, channel_part_3,
                is_channel_expired, expiration, tags, push_variables, tiles FROM old_installations ORDER BY key;
            DROP TABLE old_installations
            """
        )
    }

    /// Of rows whose ids differ in case only, one is the installation as it was last written.
    private static func dropOlderSpellings(of database: SQLiteDatabase) throws(SQLiteError) {
        let groups = try repeated(in: database)
        guard !groups.isEmpty else { return }
        let bound = try spellingsOfRegistrations(in: database)
        let removeTemplates = try database.prepare("DELETE FROM installation_templates WHERE installation = ?1")
        let remove = try database.prepare("DELETE FROM old_installations WHERE key = ?1")
        for rows in groups {
            // Its registrations have the spelling of the last write. Without any, the row that came last is kept.
            let newest = rows.last { bound[$0.hub]?.contains($0.id) == true } ?? rows.last
            for row in rows where row.key != newest?.key {
                try removeTemplates.run(.integer(row.key))
                try remove.run(.integer(row.key))
            }
        }
    }

    /// Rows of the same installation, in the order in which they came; only where there are several.
    private static func repeated(in database: SQLiteDatabase) throws(SQLiteError) -> [[Row]] {
        let query = try database.prepare("SELECT key, hub, id FROM old_installations ORDER BY hub, lower(id), key")
        var rows = try query.rows()
        var groups: [[Row]] = []
        var group: [Row] = []
        while try rows.next() {
            let row = Row(key: try rows.integer(0), hub: try rows.text(1), id: try rows.text(2))
            if let first = group.first, first.hub != row.hub || first.id.lowercased() != row.id.lowercased() {
                if group.count > 1 { groups.append(group) }
                group = []
            }
            group.append(row)
        }
        if group.count > 1 { groups.append(group) }
        return groups
    }

    /// The ids of installations as registrations spell them, by hub.
    private static func spellingsOfRegistrations(
        in database: SQLiteDatabase
    ) throws(SQLiteError) -> [String: Set<String>] {
        let query = try database.prepare(
            "SELECT DISTINCT hub, installation FROM registrations WHERE installation IS NOT NULL"
        )
        var rows = try query.rows()
        var spellings: [String: Set<String>] = [:]
        while try rows.next() { spellings[try rows.text(0), default: []].insert(try rows.text(1)) }
        return spellings
    }
}
