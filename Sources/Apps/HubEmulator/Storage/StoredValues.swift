import NewsflashHTTPTransport
import NewsflashSigning
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs

// The values of the rows of a ``DeviceFile``: JSON that only the functions in this file write and read. Times are nanoseconds
// since 1970, lists of names and values are arrays in which the two alternate. Initializers return `nil` for another form.

struct StoredRegistration {
    let registration: Registration
    /// The installation that it belongs to, if any.
    let installationID: String?

    init?(stored json: JSONValue) {
        guard let id = json[member: "id"]?.string, let etag = json[member: "etag"]?.int64,
            let channel = PushChannel(stored: json), let tags = [Tag](stored: json[member: "tags"]),
            let variables = [NamedValue](stored: json[member: "variables"])
        else { return nil }
        var template: TemplateDescription?
        if let stored = json[member: "template"] {
            guard let found = TemplateDescription(stored: stored) else { return nil }
            template = found
        }
        registration = Registration(
            id: id,
            etag: etag,
            expiration: json[member: "expires"]?.int64.map { Timestamp(nanoseconds: $0) },
            description: RegistrationDescription(
                channel: channel,
                tags: tags,
                pushVariables: variables,
                secondaryTileName: json[member: "tile"]?.string,
                template: template
            )
        )
        installationID = json[member: "installation"]?.string
    }
}

extension JSONWriter {
    mutating func stored(_ registration: Registration, installationID: String?) {
        let description = registration.description
        beginObject()
        member("id", registration.id)
        member("etag", registration.etag)
        member("expires", registration.expiration?.nanoseconds)
        member("installation", installationID)
        stored(description.channel)
        stored(description.tags)
        stored("variables", description.pushVariables)
        member("tile", description.secondaryTileName)
        if let template = description.template {
            name("template")
            stored(template, tags: nil)
        }
        endObject()
    }

    mutating func stored(_ installation: Installation) {
        beginObject()
        member("id", installation.id)
        member("user", installation.userID)
        stored(installation.channel)
        if installation.isChannelExpired { member("expired", true) }
        member("expires", installation.expiration?.nanoseconds)
        stored(installation.tags)
        stored("variables", installation.pushVariables)
        stored(installation.templates)
        name("tiles")
        beginArray()
        for tile in installation.secondaryTiles {
            beginObject()
            member("name", tile.name)
            stored(tile.channel)
            stored(tile.tags)
            stored(tile.templates)
            endObject()
        }
        endArray()
        endObject()
    }

    mutating func stored(_ hub: KeptHub) {
        beginObject()
        member("name", hub.name)
        member("created", hub.created.nanoseconds)
        member("life", hub.registrationTimeToLive)
        member("credentials", hub.credentials)
        stored(hub.rules)
        endObject()
    }

    mutating func stored(_ rules: [AccessRule]) {
        name("rules")
        beginArray()
        for rule in rules {
            beginObject()
            member("name", rule.name)
            member("key", rule.key.secretText)
            member("claims", rule.claims.map(\.rawValue).sorted())
            endObject()
        }
        endArray()
    }

    /// Writes a scheduled send.
    mutating func stored(_ send: SendRecord) {
        beginObject()
        member("sequence", send.sequence)
        member("id", send.notificationID)
        member("time", send.time.nanoseconds)
        member("due", send.progress.scheduledFor?.nanoseconds)
        member("hub", send.hub)
        member("format", send.format.rawValue)
        member("expression", send.expression?.description)
        stored("headers", send.headers.fields.map { NamedValue($0.name, $0.value) })
        member("body", Base64.encode(send.body))
        member("client", send.clientTrackingID)
        member("tracking", send.trackingID)
        endObject()
    }

    private mutating func stored(_ channel: PushChannel) {
        member("platform", channel.platform.rawValue)
        member("channel", channel.parts)
    }

    private mutating func stored(_ tags: [Tag]) {
        member("tags", tags.map(\.description))
    }

    private mutating func stored(_ name: String, _ values: [NamedValue]) {
        guard !values.isEmpty else { return }
        self.name(name)
        beginArray()
        for pair in values {
            value(pair.name)
            value(pair.value)
        }
        endArray()
    }

    private mutating func stored(_ templates: [InstallationTemplate]) {
        name("templates")
        beginArray()
        for template in templates {
            let description = TemplateDescription(
                name: template.name,
                body: template.body,
                headers: template.headers,
                expiry: template.expiry
            )
            stored(description, tags: template.tags)
        }
        endArray()
    }

    private mutating func stored(_ template: TemplateDescription, tags: [Tag]?) {
        beginObject()
        member("name", template.name)
        member("body", template.body)
        stored("headers", template.headers)
        member("expiry", template.expiry)
        member("priority", template.priority)
        if let tags { stored(tags) }
        endObject()
    }
}

extension Installation {
    init?(stored json: JSONValue) {
        guard let id = json[member: "id"]?.string, let channel = PushChannel(stored: json),
            let tags = [Tag](stored: json[member: "tags"]),
            let variables = [NamedValue](stored: json[member: "variables"]),
            let templates = json[member: "templates"]?.every(InstallationTemplate.init(stored:)),
            let tiles = json[member: "tiles"]?.every(SecondaryTile.init(stored:))
        else { return nil }
        self.init(
            id: id,
            channel: channel,
            userID: json[member: "user"]?.string,
            isChannelExpired: json[member: "expired"]?.bool ?? false,
            expiration: json[member: "expires"]?.int64.map { Timestamp(nanoseconds: $0) },
            tags: tags,
            pushVariables: variables,
            templates: templates,
            secondaryTiles: tiles
        )
    }
}

extension SecondaryTile {
    fileprivate init?(stored json: JSONValue) {
        guard let name = json[member: "name"]?.string, let channel = PushChannel(stored: json),
            let tags = [Tag](stored: json[member: "tags"]),
            let templates = json[member: "templates"]?.every(InstallationTemplate.init(stored:))
        else { return nil }
        self.init(name: name, channel: channel, tags: tags, templates: templates)
    }
}

extension InstallationTemplate {
    fileprivate init?(stored json: JSONValue) {
        guard let template = TemplateDescription(stored: json), let tags = [Tag](stored: json[member: "tags"]) else {
            return nil
        }
        self.init(
            name: template.name ?? "",
            body: template.body,
            headers: template.headers,
            expiry: template.expiry,
            tags: tags
        )
    }
}

extension TemplateDescription {
    fileprivate init?(stored json: JSONValue) {
        guard let body = json[member: "body"]?.string, let headers = [NamedValue](stored: json[member: "headers"])
        else { return nil }
        self.init(
            name: json[member: "name"]?.string,
            body: body,
            headers: headers,
            expiry: json[member: "expiry"]?.string,
            priority: json[member: "priority"]?.string
        )
    }
}

extension PushChannel {
    fileprivate init?(stored json: JSONValue) {
        guard let platform = json[member: "platform"]?.string.flatMap(PushPlatform.init(name:)),
            let parts = json[member: "channel"]?.every(\.string), parts.count == platform.facts?.channelElements.count
        else { return nil }
        self.init(platform, parts: parts)
    }
}

extension KeptHub {
    init?(stored json: JSONValue) {
        guard let name = json[member: "name"]?.string, let created = json[member: "created"]?.int64,
            let life = json[member: "life"]?.string, (try? RegistrationTimeToLive(life)) != nil,
            let rules = [AccessRule](stored: json[member: "rules"])
        else { return nil }
        self.init(
            name: name,
            created: Timestamp(nanoseconds: created),
            rules: rules,
            registrationTimeToLive: life,
            credentials: json[member: "credentials"]?.string
        )
    }
}

extension [AccessRule] {
    init?(stored json: JSONValue?) {
        let rules = json?.every { rule -> AccessRule? in
            guard let name = rule[member: "name"]?.string, let key = rule[member: "key"]?.string,
                let claims = rule[member: "claims"]?.every({ $0.string.flatMap(Claim.init(rawValue:)) })
            else { return nil }
            return AccessRule(name: name, key: SharedAccessKey(key), claims: Set(claims))
        }
        guard let rules else { return nil }
        self = rules
    }
}

extension SendRecord {
    /// The greatest number that the clients of `/_emulator/sends` can read: 2^53 - 1 (RFC 8259, section 6).
    private static let greatestSequence: Int64 = 9_007_199_254_740_991

    init?(stored json: JSONValue) {
        // A damaged number must not be the last one: the next send could have none.
        guard let sequence = json[member: "sequence"]?.int64, (1...Self.greatestSequence).contains(sequence),
            let id = json[member: "id"]?.string,
            let time = json[member: "time"]?.int64, let due = json[member: "due"]?.int64,
            let hub = json[member: "hub"]?.string,
            let format = json[member: "format"]?.string.flatMap(PushFormat.init(headerValue:)),
            let headers = [NamedValue](stored: json[member: "headers"]),
            let body = json[member: "body"]?.string.flatMap({ Base64.decode($0) })
        else { return nil }
        var expression: TagExpression?
        if let text = json[member: "expression"]?.string {
            // Without its expression the send would be a broadcast.
            guard let found = try? TagExpression(parsing: text) else { return nil }
            expression = found
        }
        self.init(
            sequence: sequence,
            time: Timestamp(nanoseconds: time),
            hub: hub,
            kind: .tags,
            isTest: false,
            format: format,
            expression: expression,
            handles: [],
            headers: HTTPHeaders(headers.map { HTTPHeaders.Field($0.name, $0.value) }),
            body: body,
            clientTrackingID: json[member: "client"]?.string,
            trackingID: json[member: "tracking"]?.string ?? "",
            notificationID: id
        )
        progress.state = .scheduled
        progress.scheduledFor = Timestamp(nanoseconds: due)
    }
}

extension [Tag] {
    fileprivate init?(stored json: JSONValue?) {
        guard let tags = json?.every({ $0.string.flatMap { try? Tag($0) } }) else { return nil }
        self = tags
    }
}

extension [NamedValue] {
    /// Empty without a value.
    fileprivate init?(stored json: JSONValue?) {
        guard let json else {
            self = []
            return
        }
        guard let texts = json.every(\.string), texts.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: texts.count, by: 2).map { NamedValue(texts[$0], texts[$0 + 1]) }
    }
}

extension JSONValue {
    /// The elements of an array; `nil` if one cannot be read.
    fileprivate func every<Element>(_ read: (JSONValue) -> Element?) -> [Element]? {
        guard let array else { return nil }
        let elements = array.compactMap(read)
        return elements.count == array.count ? elements : nil
    }
}
