import NewsflashSQLite

/// The tables of the database and their version.
///
/// Lists of tags are joined by commas, which no tag contains. Push variables and headers are JSON arrays of alternating names
/// and values. Times are nanoseconds since 1970. A channel has up to three parts: user and channel for Baidu, endpoint and two
/// keys for a browser, otherwise only the handle.
///
/// There are no foreign keys: with them, deleting a template would search all devices, and a table could not be truncated in
/// one operation.
///
/// Version 2 compares installation ids case-insensitively, as the hub does, and adds hubs and access rules.
enum DeviceSchema {
    /// The version that this program writes, and the newest that it can read.
    static let version: Int32 = 2

    /// Creates the tables in a new file and migrates an older version. Rejects unknown files.
    ///
    /// - Returns: The problem with the file; `nil` if it is ready.
    static func prepare(_ database: SQLiteDatabase) throws(SQLiteError) -> DeviceStoreError? {
        let found = try database.userVersion()
        if found == version { return nil }
        if found == 1 {
            try database.transaction { () throws(SQLiteError) in
                try DeviceMigration.fromVersion1(database)
                try database.setUserVersion(version)
            }
            return nil
        }
        guard found <= version else {
            return DeviceStoreError(
                .newerVersion,
                "\(database.path) was written by a newer version of this program (table version \(found), "
                    + "supported up to \(version)); use the newer program, or another folder"
            )
        }
        guard found == 0, try isEmpty(database) else {
            return DeviceStoreError(
                .unreadable,
                "\(database.path) is the database of another program; move it away, or use another folder"
            )
        }
        try database.transaction { () throws(SQLiteError) in
            try createTables(database)
            try database.setUserVersion(version)
        }
        return nil
    }

    private static func isEmpty(_ database: SQLiteDatabase) throws(SQLiteError) -> Bool {
        var rows = try database.prepare("SELECT 1 FROM sqlite_schema").rows()
        return try !rows.next()
    }

    private static func createTables(_ database: SQLiteDatabase) throws(SQLiteError) {
        try database.execute(
            """
            -- Many devices share few templates. That no two rows are the same is what the digest is for.
            CREATE TABLE templates(
                key INTEGER PRIMARY KEY,
                digest BLOB NOT NULL UNIQUE,
                name TEXT,
                body TEXT NOT NULL,
                headers TEXT,
                expiry TEXT,
                priority TEXT
            ) STRICT;

            -- In the order in which they came, and not in that of their ids, which is random: so the file is written at its
            -- end, and read from its beginning.
            CREATE TABLE registrations(
                key INTEGER PRIMARY KEY,
                hub TEXT NOT NULL,
                id TEXT NOT NULL,
                etag INTEGER NOT NULL,
                expiration INTEGER,
                installation TEXT,
                platform TEXT NOT NULL,
                handle TEXT NOT NULL,
                channel_part_2 TEXT,
                channel_part_3 TEXT,
                tags TEXT NOT NULL,
                push_variables TEXT,
                tile TEXT,
                template INTEGER,
                UNIQUE(hub, id)
            ) STRICT;

            CREATE TABLE installation_templates(
                installation INTEGER NOT NULL,
                position INTEGER NOT NULL,
                template INTEGER NOT NULL,
                tags TEXT NOT NULL,
                PRIMARY KEY(installation, position)
            ) STRICT, WITHOUT ROWID;
            """
        )
        try createInstallations(database)
        try createHubs(database)
    }

    static func createInstallations(_ database: SQLiteDatabase) throws(SQLiteError) {
        try database.execute(
            """
            CREATE TABLE installations(
                key INTEGER PRIMARY KEY,
                hub TEXT NOT NULL,
                -- As last written. Ids are ASCII, the letters that this collation folds.
                id TEXT NOT NULL COLLATE NOCASE,
                user_id TEXT,
                platform TEXT NOT NULL,
                handle TEXT NOT NULL,
                channel_part_2 TEXT,
                channel_part_3 TEXT,
                is_channel_expired INTEGER NOT NULL,
                expiration INTEGER,
                tags TEXT NOT NULL,
                push_variables TEXT,
                -- JSON, with the templates of the tiles: they are few.
                tiles TEXT,
                UNIQUE(hub, id)
            ) STRICT;
            """
        )
    }

    static func createHubs(_ database: SQLiteDatabase) throws(SQLiteError) {
        try database.execute(
            """
            CREATE TABLE hubs(
                key INTEGER PRIMARY KEY,
                -- As its creator spelled it.
                name TEXT NOT NULL COLLATE NOCASE UNIQUE,
                created INTEGER NOT NULL,
                -- An ISO 8601 duration.
                registration_ttl TEXT NOT NULL
            ) STRICT;

            -- Of a hub, or of the namespace where the hub has no name.
            CREATE TABLE rules(
                hub TEXT NOT NULL COLLATE NOCASE,
                position INTEGER NOT NULL,
                name TEXT NOT NULL,
                key TEXT NOT NULL,
                -- Joined by commas.
                claims TEXT NOT NULL,
                PRIMARY KEY(hub, position)
            ) STRICT, WITHOUT ROWID;
            """
        )
    }
}

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
