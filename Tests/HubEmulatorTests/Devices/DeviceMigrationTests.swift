import NewsflashHubEmulator
import NewsflashSQLite
import NewsflashTestSupport
import NotificationHubs
import Testing

@Suite("the migration of an older file of devices", .timeLimit(.minutes(1)))
struct DeviceMigrationTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a file of version 1 is migrated with all its devices`() throws {
        try writeVersion1 { database in
            try database.execute(
                """
                INSERT INTO templates VALUES (7, x'00', 'news', '{"aps":{"alert":"$(t)"}}', NULL, NULL, NULL);
                INSERT INTO installations VALUES
                    (3, 'news', 'Phone', 'reader', 'apns', 'AB', NULL, NULL, 0, 5, 'world', NULL, NULL),
                    (4, 'other', 'phone', NULL, 'apns', 'CD', NULL, NULL, 1, NULL, '', NULL, NULL);
                INSERT INTO installation_templates VALUES (3, 0, 7, 'sports');
                INSERT INTO registrations VALUES
                    (1, 'news', '1-1-1', 9, 5, 'Phone', 'apns', 'AB', NULL, NULL, 'world', NULL, NULL, NULL)
                """
            )
        }
        for _ in 0..<2 {
            let devices = try devices()
            #expect(devices.map(\.0) == ["Phone of news", "phone of other", "1-1-1 of news in Phone"])
            #expect(devices.map(\.1) == [1, 0, 0])
        }
        #expect(try SQLiteDatabase(path: folder.file("devices.sqlite")).userVersion() == 2)
    }

    @Test func `a migration keeps the last written of several spellings of an id`() throws {
        try writeVersion1 { database in
            try database.execute(
                """
                INSERT INTO templates VALUES (7, x'00', 'news', '{}', NULL, NULL, NULL);
                INSERT INTO installations VALUES
                    (1, 'news', 'ABC', NULL, 'apns', '01', NULL, NULL, 0, NULL, '', NULL, NULL),
                    (2, 'news', 'other', NULL, 'apns', '02', NULL, NULL, 0, NULL, '', NULL, NULL),
                    (3, 'news', 'abc', NULL, 'apns', '03', NULL, NULL, 0, NULL, '', NULL, NULL),
                    (4, 'news', 'Gone', NULL, 'apns', '04', NULL, NULL, 0, NULL, '', NULL, NULL),
                    (5, 'news', 'GONE', NULL, 'apns', '05', NULL, NULL, 0, NULL, '', NULL, NULL);
                INSERT INTO installation_templates VALUES (1, 0, 7, ''), (3, 0, 7, ''), (3, 1, 7, '');
                INSERT INTO registrations VALUES
                    (1, 'news', '1-1-1', 9, NULL, 'ABC', 'apns', '01', NULL, NULL, '', NULL, NULL, NULL)
                """
            )
        }
        let devices = try devices()
        #expect(devices.map(\.0) == ["ABC of news", "other of news", "GONE of news", "1-1-1 of news in ABC"])
        #expect(devices.map(\.1) == [1, 0, 0, 0])
    }

    @Test func `a file that cannot be migrated is not changed`() throws {
        try writeVersion1 { database in try database.execute("CREATE TABLE hubs(name TEXT)") }
        #expect(throws: DeviceStoreError.self) { try DeviceStore(folder: folder.path) }
        let database = try SQLiteDatabase(path: folder.file("devices.sqlite"))
        #expect(try database.userVersion() == 1)
        #expect(throws: Never.self) { try database.prepare("SELECT 1 FROM installations WHERE id = 'x'") }
    }

    /// A description of each device, and the number of its templates.
    private func devices() throws -> [(String, Int)] {
        let store = try DeviceStore(folder: folder.path)
        defer { store.close() }
        var devices: [(String, Int)] = []
        try store.load { device in
            switch device {
            case .installation(let installation, let hub):
                devices.append(("\(installation.id) of \(hub)", installation.templates.count))
            case .registration(let registration, let installation, let hub):
                devices.append(("\(registration.id) of \(hub) in \(installation ?? "none")", 0))
            }
        }
        return devices
    }

    /// Creates the tables of version 1.
    private func writeVersion1(_ fill: (SQLiteDatabase) throws -> Void) throws {
        let database = try SQLiteDatabase(path: folder.file("devices.sqlite"))
        try database.execute(
            """
            DROP TABLE IF EXISTS templates;
            DROP TABLE IF EXISTS registrations;
            DROP TABLE IF EXISTS installations;
            DROP TABLE IF EXISTS installation_templates;
            CREATE TABLE templates(
                key INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, name TEXT, body TEXT NOT NULL, headers TEXT,
                expiry TEXT, priority TEXT
            ) STRICT;
            CREATE TABLE registrations(
                key INTEGER PRIMARY KEY, hub TEXT NOT NULL, id TEXT NOT NULL, etag INTEGER NOT NULL,
                expiration INTEGER, installation TEXT, platform TEXT NOT NULL, handle TEXT NOT NULL,
                channel_part_2 TEXT, channel_part_3 TEXT, tags TEXT NOT NULL, push_variables TEXT, tile TEXT,
                template INTEGER, UNIQUE(hub, id)
            ) STRICT;
            CREATE TABLE installations(
                key INTEGER PRIMARY KEY, hub TEXT NOT NULL, id TEXT NOT NULL, user_id TEXT, platform TEXT NOT NULL,
                handle TEXT NOT NULL, channel_part_2 TEXT, channel_part_3 TEXT, is_channel_expired INTEGER NOT NULL,
                expiration INTEGER, tags TEXT NOT NULL, push_variables TEXT, tiles TEXT, UNIQUE(hub, id)
            ) STRICT;
            CREATE TABLE installation_templates(
                installation INTEGER NOT NULL, position INTEGER NOT NULL, template INTEGER NOT NULL,
                tags TEXT NOT NULL, PRIMARY KEY(installation, position)
            ) STRICT, WITHOUT ROWID;
            """
        )
        try database.setUserVersion(1)
        try fill(database)
        database.close()
    }
}
