import NewsflashStrictJSON
public import NewsflashTimestamps

/// An app on a device, with all its templates: the newer, idempotent way to register.
///
/// Its format is documented at https://learn.microsoft.com/rest/api/notificationhubs/create-overwrite-installation
///
/// ```swift
/// var phone = Installation(id: "phone-1", channel: .fcmv1(registrationID: token), tags: [try Tag("world")])
/// phone.userID = "anna"
/// try await hub.putInstallation(phone)
/// ```
public struct Installation: Hashable, Sendable {
    /// The ID, chosen and stored by the app.
    public var id: String
    /// The ID of the signed-in user, if any; becomes the tag `$UserId:{…}`.
    public var userID: String?
    /// The address of the app at its push service.
    public var channel: PushChannel
    /// Whether the push service has reported that the channel is no longer valid. Set only by the hub.
    public var isChannelExpired: Bool
    /// When the hub deletes the installation; `nil` for never. The service's page calls it read only, its SDKs send it.
    public var expiration: Timestamp?
    /// When the installation was last written. Set only by the hub.
    public var lastUpdate: Timestamp?
    /// When the push service reported that the channel is no longer valid. Set only by the hub.
    public var lastActiveOn: Timestamp?
    /// The tags that the device subscribes to.
    public var tags: [Tag]
    /// The device's own values for templates.
    public var pushVariables: [NamedValue]
    /// The templates by name, in order of receipt.
    public var templates: [InstallationTemplate]
    /// Tiles with their own channels, tags and templates; only for Windows.
    package var secondaryTiles: [SecondaryTile]
    /// Members of the hub's response that this version does not understand, each with its JSON; never sent.
    public var otherMembers: [NamedValue] = []

    /// Creates an installation.
    ///
    /// - Parameters:
    ///   - id: The ID, chosen by the app.
    ///   - channel: The address of the app at its push service.
    ///   - userID: The ID of the signed-in user.
    ///   - isChannelExpired: Whether the channel is no longer valid; set only by the hub.
    ///   - expiration: When the hub deletes the installation; `nil` for never.
    ///   - tags: The tags that the device subscribes to.
    ///   - pushVariables: The device's own values for templates.
    ///   - templates: The templates, with unique names.
    public init(
        id: String,
        channel: PushChannel,
        userID: String? = nil,
        isChannelExpired: Bool = false,
        expiration: Timestamp? = nil,
        tags: [Tag] = [],
        pushVariables: [NamedValue] = [],
        templates: [InstallationTemplate] = []
    ) {
        self.id = id
        self.userID = userID
        self.channel = channel
        self.isChannelExpired = isChannelExpired
        self.expiration = expiration
        self.tags = tags
        self.pushVariables = pushVariables
        self.templates = templates
        self.secondaryTiles = []
    }

    /// Creates an installation with tiles.
    package init(
        id: String,
        channel: PushChannel,
        userID: String? = nil,
        isChannelExpired: Bool = false,
        expiration: Timestamp? = nil,
        tags: [Tag] = [],
        pushVariables: [NamedValue] = [],
        templates: [InstallationTemplate] = [],
        secondaryTiles: [SecondaryTile]
    ) {
        self.init(
            id: id,
            channel: channel,
            userID: userID,
            isChannelExpired: isChannelExpired,
            expiration: expiration,
            tags: tags,
            pushVariables: pushVariables,
            templates: templates
        )
        self.secondaryTiles = secondaryTiles
    }
}

/// A template of an installation or of one of its tiles.
///
/// ```swift
/// var phone = Installation(id: "phone-1", channel: .apns(deviceToken: token))
/// phone.templates = [InstallationTemplate(name: "news", body: #"{"aps":{"alert":"$(headline)"}}"#)]
/// ```
public struct InstallationTemplate: Hashable, Sendable {
    /// The template's name in the map of templates. The hub adds it to the template's tags.
    public var name: String
    /// JSON, or XML for Windows; its values may be expressions.
    public var body: String
    /// Headers for the push service; only for Windows.
    public var headers: [NamedValue]
    /// When notifications expire; only for Apple.
    public var expiry: String?
    /// Tags in addition to those of the installation; without the name that the hub adds.
    public var tags: [Tag]

    /// Creates a template.
    ///
    /// - Parameters:
    ///   - name: The template's name in the map of templates.
    ///   - body: JSON or XML.
    ///   - headers: Headers for the push service; only for Windows.
    ///   - expiry: When notifications expire; only for Apple.
    ///   - tags: Tags in addition to those of the installation.
    public init(
        name: String,
        body: String,
        headers: [NamedValue] = [],
        expiry: String? = nil,
        tags: [Tag] = []
    ) {
        self.name = name
        self.body = body
        self.headers = headers
        self.expiry = expiry
        self.tags = tags
    }
}

/// A secondary tile of a Windows installation.
package struct SecondaryTile: Hashable, Sendable {
    /// The tile's name in the map of tiles.
    package var name: String
    /// The tile's own channel.
    package var channel: PushChannel
    /// The tags that the tile subscribes to.
    package var tags: [Tag]
    /// The templates by name, in order of receipt.
    package var templates: [InstallationTemplate]

    /// Creates a tile.
    ///
    /// - Parameters:
    ///   - name: The tile's name in the map of tiles.
    ///   - channel: The tile's own channel.
    ///   - tags: The tags that the tile subscribes to.
    ///   - templates: The templates, with unique names.
    package init(name: String, channel: PushChannel, tags: [Tag] = [], templates: [InstallationTemplate] = []) {
        self.name = name
        self.channel = channel
        self.tags = tags
        self.templates = templates
    }
}

extension Installation {
    /// Checks an installation against the hub's rules. Channels are checked when they are decoded; template expressions are
    /// checked elsewhere.
    ///
    /// - Throws: ``HubValueError`` for the first violation.
    func check() throws(HubValueError) {
        guard (try? Tag.installation(id)) != nil else {
            throw HubValueError(
                .deviceInvalidID,
                "The installation id is invalid. Valid characters are alphanumeric and - _ @ # . : =",
                at: "/installationId"
            )
        }
        if let userID, (try? Tag.user(userID)) == nil {
            throw HubValueError(
                .deviceInvalidID,
                "The user id is invalid. Valid characters are alphanumeric and - _ @ # . : =",
                at: "/userId"
            )
        }
        try check(templates, tags: tags, at: "")
        guard secondaryTiles.isEmpty || channel.platform == .wns else {
            throw HubValueError(
                .deviceInvalidTemplate,
                "Secondary tiles are only acceptable for WNS.",
                at: "/secondaryTiles"
            )
        }
        for tile in secondaryTiles {
            try check(tile.templates, tags: tile.tags, at: "/secondaryTiles/\(JSONPointer.escaped(tile.name))")
        }
    }

    private func check(_ templates: [InstallationTemplate], tags: [Tag], at path: String) throws(HubValueError) {
        let hubTags = [try? Tag.installation(id), userID.flatMap { try? Tag.user($0) }].compactMap(\.self)
        let ownTags = tags.filter { !hubTags.contains($0) }
        try TagList.check(hubTags + ownTags, at: path + "/tags")
        for template in templates {
            let path = "\(path)/templates/\(JSONPointer.escaped(template.name))"
            try template.check(platform: channel.platform, at: path)
            let tags = ownTags + template.tags.filter { !ownTags.contains($0) && !hubTags.contains($0) }
            try TagList.check(hubTags + tags, at: path + "/tags")
        }
    }
}

extension InstallationTemplate {
    fileprivate func check(platform: PushPlatform, at path: String) throws(HubValueError) {
        guard !name.isEmpty else {
            throw HubValueError(.deviceInvalidTemplate, "A template has no name.", at: path)
        }
        try TemplateDescription(name: name, body: "").checkName(at: path)
        guard headers.isEmpty || platform == .wns || platform == .mpns else {
            // The missing quote is also missing in the service's text.
            throw HubValueError(
                .deviceInvalidTemplate,
                "Template '\(name) is invalid: 'Headers' only acceptable for WNS and MPNS",
                at: path + "/headers"
            )
        }
    }
}

extension Installation {
    /// Returns the registrations that the hub creates for the installation: a native one and one for each template, then the
    /// same
    /// for each secondary tile. They appear in lists of registrations.
    ///
    /// Each has the tag `$InstallationId:{…}` first, then `$UserId:{…}`, then its own tags. A template's registration has the
    /// template's name as its last tag if the name is a valid tag.
    ///
    /// - Returns: At least the native registration.
    package func registrations() -> [RegistrationDescription] {
        let hubTags = [try? Tag.installation(id), userID.flatMap { try? Tag.user($0) }].compactMap(\.self)
        var registrations = registrations(channel: channel, tile: nil, tags: hubTags + tags, templates: templates)
        for tile in secondaryTiles {
            registrations += self.registrations(
                channel: tile.channel,
                tile: tile.name,
                tags: hubTags + tile.tags,
                templates: tile.templates
            )
        }
        return registrations
    }

    private func registrations(
        channel: PushChannel,
        tile: String?,
        tags: [Tag],
        templates: [InstallationTemplate]
    ) -> [RegistrationDescription] {
        let native = RegistrationDescription(
            channel: channel,
            tags: tags.withoutRepeats,
            pushVariables: pushVariables,
            secondaryTileName: tile
        )
        return [native]
            + templates.map { template in
                var registration = native
                let name = (try? Tag(template.name)).map { [$0] } ?? []
                registration.tags = (tags + template.tags + name).withoutRepeats
                registration.template = TemplateDescription(
                    name: template.name,
                    body: template.body,
                    headers: template.headers,
                    expiry: template.expiry
                )
                return registration
            }
    }
}

extension [Tag] {
    /// The tags without duplicates, in order of first occurrence.
    fileprivate var withoutRepeats: [Tag] {
        var seen: Set<Tag> = []
        return filter { seen.insert($0).inserted }
    }
}
