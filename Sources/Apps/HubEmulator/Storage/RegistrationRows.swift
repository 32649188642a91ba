import NotificationHubs
import SQLite
import Timestamps

/// Writes and reads the table of registrations.
struct RegistrationRows {
    private let database: SQLiteDatabase
    private let templates: TemplateRows
    private let put: SQLiteStatement
    private let remove: SQLiteStatement

    init(_ database: SQLiteDatabase, templates: TemplateRows) throws(SQLiteError) {
        self.database = database
        self.templates = templates
        put = try database.prepare(
            """
            INSERT INTO registrations(
                hub, id, etag, expiration, installation, platform, handle, channel_part_2, channel_part_3,
                tags, push_variables, tile, template
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            ON CONFLICT(hub, id) DO UPDATE SET
                etag = ?3, expiration = ?4, installation = ?5, platform = ?6, handle = ?7, channel_part_2 = ?8,
                channel_part_3 = ?9, tags = ?10, push_variables = ?11, tile = ?12, template = ?13
            """
        )
        remove = try database.prepare("DELETE FROM registrations WHERE hub = ?1 AND id = ?2")
    }

    func put(_ registration: Registration, installationID: String?, hub: String) throws(SQLiteError) {
        let description = registration.description
        let channel = description.channel.columns
        var template: Int64?
        if let described = description.template { template = try templates.key(of: described) }
        try put.run(
            .text(hub),
            .text(registration.id),
            .integer(registration.etag),
            .integer(registration.expiration?.nanoseconds),
            .text(installationID),
            .text(description.channel.platform.rawValue),
            .text(channel.handle),
            .text(channel.part2),
            .text(channel.part3),
            .text(description.tags.column),
            .text(description.pushVariables.column),
            .text(description.secondaryTileName),
            .integer(template)
        )
    }

    func remove(_ id: String, hub: String) throws(SQLiteError) {
        try remove.run(.text(hub), .text(id))
    }

    func removeAll(hub: String) throws(SQLiteError) {
        let others = try database.prepare("SELECT 1 FROM registrations WHERE hub < ?1 OR hub > ?1 LIMIT 1")
        // SQLite truncates a whole table in one operation, but deletes rows one by one.
        guard try firstInteger(others.rows(.text(hub))) != nil else {
            return try database.execute("DELETE FROM registrations")
        }
        try database.prepare("DELETE FROM registrations WHERE hub = ?1").run(.text(hub))
    }

    /// Reads all rows.
    func load(
        templates: inout LoadedTemplates,
        tags: inout TagReader,
        _ body: (Registration, _ installationID: String?, _ hub: String) -> Void
    ) throws(SQLiteError) {
        var rows = try database.prepare(
            """
            SELECT platform, handle, channel_part_2, channel_part_3, hub, id, etag, expiration, installation,
                tags, push_variables, tile, template
            FROM registrations ORDER BY key
            """
        ).rows()
        while try rows.next() {
            let description = RegistrationDescription(
                channel: try rows.channel(0),
                tags: try tags.tags(9, of: rows),
                pushVariables: try rows.namedValues(10),
                secondaryTileName: try rows.optionalText(11),
                template: try templates.template(12, of: rows)
            )
            let registration = Registration(
                id: try rows.text(5),
                etag: try rows.integer(6),
                expiration: try rows.optionalInteger(7).map { Timestamp(nanoseconds: $0) },
                description: description
            )
            body(registration, try rows.optionalText(8), try rows.text(4))
        }
    }
}
