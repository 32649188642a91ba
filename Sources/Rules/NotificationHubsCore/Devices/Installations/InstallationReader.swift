import StrictJSON

/// Decodes the JSON object of an installation.
struct InstallationReader {
    private let json: PlacedJSON

    init(_ json: PlacedJSON) {
        self.json = json
    }

    func installation(id: String) throws(DeviceError) -> Installation {
        if let inBody = json["installationId"] {
            guard try inBody.string("The installation id").isEqualIgnoringCase(id) else {
                throw DeviceError(
                    .invalidID,
                    "The installation id of the body is not that of the address.",
                    at: inBody.path
                )
            }
        }
        let platform = try platform()
        guard let channel = json["pushChannel"] else {
            throw DeviceError(.missing, "The installation has no pushChannel.", at: "/pushChannel")
        }
        let installation = Installation(
            id: id,
            channel: try Self.channel(channel, platform: platform),
            userID: try userID(),
            tags: try Self.tags(json["tags"]),
            pushVariables: try pushVariables(),
            templates: try Self.templates(json["templates"]),
            secondaryTiles: try tiles(platform: platform)
        )
        try installation.check()
        return installation
    }

    private func platform() throws(DeviceError) -> PushPlatform {
        guard let name = json["platform"] else {
            throw DeviceError(.missing, "The installation has no platform.", at: "/platform")
        }
        guard let platform = PushPlatform(name: try name.string("The platform")) else {
            let known = PushPlatform.allCases.map(\.rawValue).joined(separator: ", ")
            throw DeviceError(
                .unknownPlatform,
                "The platform of an installation must be one of \(known).",
                at: name.path
            )
        }
        return platform
    }

    private func userID() throws(DeviceError) -> String? {
        guard let text = try json["userId"]?.string("The user id"), !text.isEmpty else { return nil }
        return text
    }

    private func pushVariables() throws(DeviceError) -> [NamedValue] {
        guard let variables = json["pushVariables"] else { return [] }
        return try PushVariables.read(variables.value, at: variables.path)
    }

    private func tiles(platform: PushPlatform) throws(DeviceError) -> [SecondaryTile] {
        guard let tiles = json["secondaryTiles"] else { return [] }
        var read: [SecondaryTile] = []
        for (name, tile) in try tiles.members("The member secondaryTiles") {
            read.append(try Self.tile(tile, name: name, platform: platform))
        }
        return read
    }
}

extension InstallationReader {
    /// Decodes a push channel: a string, or for browsers an object or a string that contains an object.
    static func channel(_ json: PlacedJSON, platform: PushPlatform) throws(DeviceError) -> PushChannel {
        let channel: PushChannel
        switch platform {
        case .apns: channel = .apns(deviceToken: try json.string("The pushChannel"))
        case .fcmv1: channel = .fcmv1(registrationID: try json.string("The pushChannel"))
        case .gcm: channel = .gcm(registrationID: try json.string("The pushChannel"))
        case .wns: channel = .wns(uri: try json.string("The pushChannel"))
        case .mpns: channel = .mpns(uri: try json.string("The pushChannel"))
        case .adm: channel = .adm(registrationID: try json.string("The pushChannel"))
        case .xiaomi: channel = .xiaomi(registrationID: try json.string("The pushChannel"))
        case .baidu:
            let ids = try json.string("The pushChannel").split(separator: "-", maxSplits: 1)
            channel = .baidu(userID: String(ids.first ?? ""), channelID: String(ids.dropFirst().first ?? ""))
        case .browser:
            let keys = json.unwrapped
            func key(_ name: String) throws(DeviceError) -> String { try keys[name]?.string("The \(name)") ?? "" }
            channel = .browser(endpoint: try key("endpoint"), p256dh: try key("p256dh"), auth: try key("auth"))
        }
        return try channel.checked(at: json.path)
    }

    /// Decodes an array of tags.
    static func tags(_ json: PlacedJSON?, templateName: String? = nil) throws(DeviceError) -> [Tag] {
        guard let json else { return [] }
        guard let elements = json.value.array else { throw json.wrongType("The member tags", "an array of strings") }
        var texts: [String] = []
        for element in elements {
            guard let text = element.string else { throw json.wrongType("The member tags", "an array of strings") }
            // The hub adds the name to its responses, and clients send back what they read.
            if text != templateName { texts.append(text) }
        }
        return try TagList.read(texts, at: json.path)
    }

    /// Decodes a map of templates.
    static func templates(_ json: PlacedJSON?) throws(DeviceError) -> [InstallationTemplate] {
        guard let json else { return [] }
        var templates: [InstallationTemplate] = []
        for (name, template) in try json.members("The member templates") {
            templates.append(try self.template(template, name: name))
        }
        return templates
    }

    /// Decodes one template.
    static func template(_ json: PlacedJSON, name: String) throws(DeviceError) -> InstallationTemplate {
        _ = try json.members("A template")
        guard let body = json["body"] else {
            throw DeviceError(.missing, "A template has no body.", at: json.path + "/body")
        }
        return InstallationTemplate(
            name: name,
            body: try body.string("The body of a template"),
            headers: try json["headers"].map(headers) ?? [],
            expiry: try json["expiry"]?.string("The expiry of a template"),
            tags: try tags(json["tags"], templateName: name)
        )
    }

    /// Decodes a map of headers.
    static func headers(_ json: PlacedJSON) throws(DeviceError) -> [NamedValue] {
        var headers: [NamedValue] = []
        for (name, value) in try json.members("The member headers") {
            headers.append(NamedValue(name, try value.string("A header")))
        }
        return headers
    }

    /// Decodes one secondary tile.
    static func tile(_ json: PlacedJSON, name: String, platform: PushPlatform) throws(DeviceError) -> SecondaryTile {
        _ = try json.members("A secondary tile")
        guard let channel = json["pushChannel"] else {
            throw DeviceError(.missing, "A secondary tile has no pushChannel.", at: json.path + "/pushChannel")
        }
        return SecondaryTile(
            name: name,
            channel: try self.channel(channel, platform: platform),
            tags: try tags(json["tags"]),
            templates: try templates(json["templates"])
        )
    }
}
