import NewsflashSQLite
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs

/// Writes and reads the tables of installations.
struct InstallationRows {
    private let database: SQLiteDatabase
    private let templates: TemplateRows
    private let put: SQLiteStatement
    private let putTemplate: SQLiteStatement
    private let removeTemplates: SQLiteStatement
    private let find: SQLiteStatement
    private let remove: SQLiteStatement

    init(_ database: SQLiteDatabase, templates: TemplateRows) throws(SQLiteError) {
        self.database = database
        self.templates = templates
        put = try database.prepare(
            """
            INSERT INTO installations(
                hub, id, user_id, platform, handle, channel_part_2, channel_part_3, is_channel_expired, expiration,
                tags, push_variables, tiles
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            ON CONFLICT(hub, id) DO UPDATE SET
                id = ?2, user_id = ?3, platform = ?4, handle = ?5, channel_part_2 = ?6, channel_part_3 = ?7,
                is_channel_expired = ?8, expiration = ?9, tags = ?10, push_variables = ?11, tiles = ?12
            RETURNING key
            """
        )
        putTemplate = try database.prepare(
            "INSERT INTO installation_templates(installation, position, template, tags) VALUES (?1, ?2, ?3, ?4)"
        )
        removeTemplates = try database.prepare("DELETE FROM installation_templates WHERE installation = ?1")
        find = try database.prepare("SELECT key FROM installations WHERE hub = ?1 AND id = ?2")
        remove = try database.prepare("DELETE FROM installations WHERE key = ?1")
    }

    func put(_ installation: Installation, hub: String) throws(SQLiteError) {
        let channel = installation.channel.columns
        let written = try put.rows(
            .text(hub),
            .text(installation.id),
            .text(installation.userID),
            .text(installation.channel.platform.rawValue),
            .text(channel.handle),
            .text(channel.part2),
            .text(channel.part3),
            .integer(installation.isChannelExpired ? 1 : 0),
            .integer(installation.expiration?.nanoseconds),
            .text(installation.tags.column),
            .text(installation.pushVariables.column),
            .text(installation.secondaryTiles.column)
        )
        let key = SQLiteValue.integer(try firstInteger(written))
        try removeTemplates.run(key)
        for (position, template) in installation.templates.enumerated() {
            try putTemplate.run(
                key,
                .integer(Int64(position)),
                .integer(try templates.key(of: template.description)),
                .text(template.tags.column)
            )
        }
    }

    func remove(_ id: String, hub: String) throws(SQLiteError) {
        guard let key = try firstInteger(find.rows(.text(hub), .text(id))) else { return }
        try removeTemplates.run(.integer(key))
        try remove.run(.integer(key))
    }

    func removeAll(hub: String) throws(SQLiteError) {
        let others = try database.prepare("SELECT 1 FROM installations WHERE hub < ?1 OR hub > ?1 LIMIT 1")
        // SQLite truncates a whole table in one operation, but deletes rows one by one.
        guard try firstInteger(others.rows(.text(hub))) != nil else {
            return try database.execute("DELETE FROM installation_templates; DELETE FROM installations")
        }
        let removeTemplates = try database.prepare(
            """
            DELETE FROM installation_templates
            WHERE installation IN (SELECT key FROM installations WHERE hub = ?1)
            """
        )
        try removeTemplates.run(.text(hub))
        try database.prepare("DELETE FROM installations WHERE hub = ?1").run(.text(hub))
    }

    /// Reads all rows together with their templates, which are queried in the same order.
    func load(
        templates: inout LoadedTemplates,
        tags: inout TagReader,
        _ body: (Installation, _ hub: String) -> Void
    ) throws(SQLiteError) {
        var parts = try database.prepare(
            "SELECT installation, template, tags FROM installation_templates ORDER BY installation, position"
        ).rows()
        var hasPart = try parts.next()
        var rows = try database.prepare(
            """
            SELECT platform, handle, channel_part_2, channel_part_3, hub, key, id, user_id, is_channel_expired,
                expiration, tags, push_variables, tiles
            FROM installations ORDER BY key
            """
        ).rows()
        while try rows.next() {
            var installation = Installation(
                id: try rows.text(6),
                channel: try rows.channel(0),
                userID: try rows.optionalText(7),
                isChannelExpired: try rows.integer(8) != 0,
                expiration: try rows.optionalInteger(9).map { Timestamp(nanoseconds: $0) },
                tags: try tags.tags(10, of: rows),
                pushVariables: try rows.namedValues(11),
                secondaryTiles: try rows.tiles(12)
            )
            let key = try rows.integer(5)
            while hasPart, try parts.integer(0) == key {
                if let template = try templates.template(1, of: parts) {
                    installation.templates.append(
                        InstallationTemplate(template, tags: try tags.tags(2, of: parts))
                    )
                }
                hasPart = try parts.next()
            }
            body(installation, try rows.text(4))
        }
    }
}

extension InstallationTemplate {
    /// The template without its tags, because other devices may share it.
    fileprivate var description: TemplateDescription {
        TemplateDescription(name: name, body: body, headers: headers, expiry: expiry)
    }

    fileprivate init(_ template: TemplateDescription, tags: [Tag]) {
        self.init(
            name: template.name ?? "",
            body: template.body,
            headers: template.headers,
            expiry: template.expiry,
            tags: tags
        )
    }
}

extension [SecondaryTile] {
    /// The tiles as JSON, to be parsed by ``init(_:)`` only; `nil` if there are none.
    var column: String? {
        guard !isEmpty else { return nil }
        var writer = JSONWriter()
        writer.beginArray()
        for tile in self { writer.value(tile) }
        writer.endArray()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Parses the output of ``column``; `nil` if it has another form.
    init?(_ json: JSONValue?) {
        guard let elements = json?.array else { return nil }
        let tiles = elements.compactMap { SecondaryTile($0) }
        guard tiles.count == elements.count else { return nil }
        self = tiles
    }
}

extension SecondaryTile {
    fileprivate init?(_ json: JSONValue) {
        guard let name = json[member: "name"]?.string,
            let platform = json[member: "platform"]?.string,
            let handle = json[member: "handle"]?.string,
            let channel = PushChannel(
                platform: platform,
                handle: handle,
                part2: json[member: "part2"]?.string,
                part3: json[member: "part3"]?.string
            ),
            let tags = [Tag](json[member: "tags"]),
            let elements = json[member: "templates"]?.array
        else { return nil }
        let templates = elements.compactMap { InstallationTemplate($0) }
        guard templates.count == elements.count else { return nil }
        self.init(name: name, channel: channel, tags: tags, templates: templates)
    }
}

extension InstallationTemplate {
    fileprivate init?(_ json: JSONValue) {
        guard let name = json[member: "name"]?.string,
            let body = json[member: "body"]?.string,
            let headers = [NamedValue](json[member: "headers"] ?? .array([])),
            let tags = [Tag](json[member: "tags"])
        else { return nil }
        self.init(name: name, body: body, headers: headers, expiry: json[member: "expiry"]?.string, tags: tags)
    }
}

extension [Tag] {
    fileprivate init?(_ json: JSONValue?) {
        guard let texts = json?.string else { return nil }
        var tags: [Tag] = []
        for text in texts.split(separator: ",") {
            guard let tag = try? Tag(text) else { return nil }
            tags.append(tag)
        }
        self = tags
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ tile: SecondaryTile) {
        let channel = tile.channel.columns
        beginObject()
        member("name", tile.name)
        member("platform", tile.channel.platform.rawValue)
        member("handle", channel.handle)
        member("part2", channel.part2)
        member("part3", channel.part3)
        member("tags", tile.tags.column)
        name("templates")
        beginArray()
        for template in tile.templates { value(template) }
        endArray()
        endObject()
    }

    private mutating func value(_ template: InstallationTemplate) {
        beginObject()
        member("name", template.name)
        member("body", template.body)
        member("tags", template.tags.column)
        member("expiry", template.expiry)
        if let headers = template.headers.column {
            name("headers")
            raw(headers.utf8)
        }
        endObject()
    }
}
