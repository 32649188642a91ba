import NewsflashSQLite
import NewsflashSigning
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs

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

/// Writes each distinct template once.
final class TemplateRows {
    private let find: SQLiteStatement
    private let insert: SQLiteStatement

    init(_ database: SQLiteDatabase) throws(SQLiteError) {
        find = try database.prepare("SELECT key FROM templates WHERE digest = ?1")
        insert = try database.prepare(
            """
            INSERT INTO templates(digest, name, body, headers, expiry, priority) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            RETURNING key
            """
        )
    }

    /// Returns the key of a template, and inserts the template if it is new.
    func key(of template: TemplateDescription) throws(SQLiteError) -> Int64 {
        let digest = SQLiteValue.blob(SHA256Digest.hash(of: template.canonicalBytes))
        if let key = try firstInteger(find.rows(digest)) { return key }
        let inserted = try insert.rows(
            digest,
            .text(template.name),
            .text(template.body),
            .text(template.headers.column),
            .text(template.expiry),
            .text(template.priority)
        )
        return try firstInteger(inserted) ?? 0
    }
}

/// All templates of the file during loading, so that devices share their texts.
struct LoadedTemplates {
    private var templates: [Int64: TemplateDescription] = [:]
    private var unused: Set<Int64> = []

    init(_ database: SQLiteDatabase) throws(SQLiteError) {
        var rows = try database.prepare("SELECT key, name, body, headers, expiry, priority FROM templates").rows()
        while try rows.next() {
            let key = try rows.integer(0)
            unused.insert(key)
            templates[key] = TemplateDescription(
                name: try rows.optionalText(1),
                body: try rows.text(2),
                headers: try rows.namedValues(3),
                expiry: try rows.optionalText(4),
                priority: try rows.optionalText(5)
            )
        }
    }

    /// The template whose key a column contains; `nil` for null.
    mutating func template(_ column: Int, of rows: borrowing SQLiteRows) throws(SQLiteError) -> TemplateDescription? {
        guard let key = try rows.optionalInteger(column) else { return nil }
        guard let template = templates[key] else {
            throw rows.mismatch(column, expected: "the key of a template")
        }
        unused.remove(key)
        return template
    }

    /// Deletes the templates from the file that no device uses.
    func dropUnused(of database: SQLiteDatabase) throws(SQLiteError) {
        let delete = try database.prepare("DELETE FROM templates WHERE key = ?1")
        for key in unused { try delete.run(.integer(key)) }
    }
}

extension TemplateDescription {
    /// Bytes that are equal for equal templates only; texts that merely look the same differ.
    fileprivate var canonicalBytes: [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for field in [name, body, expiry, priority] {
            if let field { writer.value(field) } else { writer.null() }
        }
        for header in headers {
            writer.value(header.name)
            writer.value(header.value)
        }
        writer.endArray()
        return writer.bytes
    }
}

/// The first column of the first row, after the statement has completed.
func firstInteger(_ rows: consuming SQLiteRows) throws(SQLiteError) -> Int64? {
    guard try rows.next() else { return nil }
    let value = try rows.integer(0)
    while try rows.next() {}
    return value
}
