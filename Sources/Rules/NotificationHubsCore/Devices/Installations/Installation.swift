public import Timestamps

/// An app on a device, with all its templates: the newer, idempotent way to register.
///
/// Its format is documented at https://learn.microsoft.com/rest/api/notificationhubs/create-overwrite-installation
public struct Installation: Hashable, Sendable {
    /// The ID, chosen and stored by the app.
    public var id: String
    /// The ID of the signed-in user, if any; becomes the tag `$UserId:{…}`.
    public var userID: String?
    /// The address of the app at its push service.
    public var channel: PushChannel
    /// Whether the push service has reported that the channel is no longer valid. Set only by the hub.
    public var isChannelExpired: Bool
    /// When the hub deletes the installation; `nil` for never.
    public var expiration: Timestamp?
    /// The tags that the device subscribes to.
    public var tags: [Tag]
    /// The device's own values for templates.
    public var pushVariables: [NamedValue]
    /// The templates by name, in order of receipt.
    public var templates: [InstallationTemplate]
    /// Tiles with their own channels, tags and templates; only for Windows.
    public var secondaryTiles: [SecondaryTile]

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
    ///   - secondaryTiles: The tiles; only for Windows.
    public init(
        id: String,
        channel: PushChannel,
        userID: String? = nil,
        isChannelExpired: Bool = false,
        expiration: Timestamp? = nil,
        tags: [Tag] = [],
        pushVariables: [NamedValue] = [],
        templates: [InstallationTemplate] = [],
        secondaryTiles: [SecondaryTile] = []
    ) {
        self.id = id
        self.userID = userID
        self.channel = channel
        self.isChannelExpired = isChannelExpired
        self.expiration = expiration
        self.tags = tags
        self.pushVariables = pushVariables
        self.templates = templates
        self.secondaryTiles = secondaryTiles
    }
}

/// A template of an installation or of one of its tiles.
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
public struct SecondaryTile: Hashable, Sendable {
    /// The tile's name in the map of tiles.
    public var name: String
    /// The tile's own channel.
    public var channel: PushChannel
    /// The tags that the tile subscribes to.
    public var tags: [Tag]
    /// The templates by name, in order of receipt.
    public var templates: [InstallationTemplate]

    /// Creates a tile.
    ///
    /// - Parameters:
    ///   - name: The tile's name in the map of tiles.
    ///   - channel: The tile's own channel.
    ///   - tags: The tags that the tile subscribes to.
    ///   - templates: The templates, with unique names.
    public init(name: String, channel: PushChannel, tags: [Tag] = [], templates: [InstallationTemplate] = []) {
        self.name = name
        self.channel = channel
        self.tags = tags
        self.templates = templates
    }
}
