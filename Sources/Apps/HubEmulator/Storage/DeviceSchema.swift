import SQLite

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
