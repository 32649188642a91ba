import NotificationHubs
import StrictJSON

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
            let platform = json[member: "platform"]?.string.flatMap({ PushPlatform(rawValue: $0) }),
            let handle = json[member: "handle"]?.string,
            let channel = PushChannel(
                platform,
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
