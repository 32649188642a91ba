import SQLite

/// Migrates the tables of older versions, within a transaction of the caller.
enum DeviceMigration {
    private struct Row {
        var key: Int64
        var hub: String
        var id: String
    }

    /// Migrates version 1 to version 2: one row for all spellings of an installation's id, and the tables of hubs and rules.
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

    /// Deletes all but one of the rows whose ids differ only in case; the remaining row is the last one written.
    private static func dropOlderSpellings(of database: SQLiteDatabase) throws(SQLiteError) {
        let groups = try repeated(in: database)
        guard !groups.isEmpty else { return }
        let bound = try spellingsOfRegistrations(in: database)
        let removeTemplates = try database.prepare("DELETE FROM installation_templates WHERE installation = ?1")
        let remove = try database.prepare("DELETE FROM old_installations WHERE key = ?1")
        for rows in groups {
            // The registrations use the spelling of the last write. Without registrations, the row inserted last is kept.
            let newest = rows.last { bound[$0.hub]?.contains($0.id) == true } ?? rows.last
            for row in rows where row.key != newest?.key {
                try removeTemplates.run(.integer(row.key))
                try remove.run(.integer(row.key))
            }
        }
    }

    /// Groups of two or more rows of the same installation, in insertion order.
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

    /// The installation ids as spelled in registrations, by hub.
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
