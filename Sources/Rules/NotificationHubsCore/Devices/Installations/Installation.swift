public import Timestamps

/// One app on one device, with all its templates: the newer and idempotent way to register.
///
/// Source of the shape: https://learn.microsoft.com/rest/api/notificationhubs/create-overwrite-installation
public struct Installation: Hashable, Sendable {
    /// Chosen by the app and kept by it.
    public var id: String
    /// Who uses the app, where someone has signed in; becomes the tag `$UserId:{…}`.
    public var userID: String?
    /// How the device is reached.
    public var channel: PushChannel
    /// Whether the push service has said that the channel is no longer good. Set by the hub only.
    public var isChannelExpired: Bool
    /// When the hub drops it; nothing for never.
    public var expiration: Timestamp?
    /// What the device wants to hear of.
    public var tags: [Tag]
    /// Values of its own for templates.
    public var pushVariables: [NamedValue]
    /// By name, in the order they came.
    public var templates: [InstallationTemplate]
    /// Tiles with channels, tags and templates of their own; only with Windows.
    public var secondaryTiles: [SecondaryTile]

    /// Makes an installation.
    ///
    /// - Parameters:
    ///   - id: Chosen by the app.
    ///   - channel: How the device is reached.
    ///   - userID: Who uses the app.
    ///   - isChannelExpired: Set by the hub only.
    ///   - expiration: Nothing for never.
    ///   - tags: What the device wants to hear of.
    ///   - pushVariables: Values of its own for templates.
    ///   - templates: By name.
    ///   - secondaryTiles: Only with Windows.
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
    /// Its name in the map of templates. The hub adds it to the template's tags.
    public var name: String
    /// JSON or, with Windows, XML, in which values may be expressions.
    public var body: String
    /// Headers for the push service; only with Windows.
    public var headers: [NamedValue]
    /// When notifications lose their worth; only with Apple.
    public var expiry: String?
    /// Beside those of the installation; without the name that the hub adds.
    public var tags: [Tag]

    /// Makes a template.
    ///
    /// - Parameters:
    ///   - name: Its name in the map of templates.
    ///   - body: JSON or XML.
    ///   - headers: Only with Windows.
    ///   - expiry: Only with Apple.
    ///   - tags: Beside those of the installation.
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
    /// Its name in the map of tiles.
    public var name: String
    /// The tile's own channel.
    public var channel: PushChannel
    /// What the tile wants to hear of.
    public var tags: [Tag]
    /// By name, in the order they came.
    public var templates: [InstallationTemplate]

    /// Makes a tile.
    ///
    /// - Parameters:
    ///   - name: Its name in the map of tiles.
    ///   - channel: The tile's own channel.
    ///   - tags: What the tile wants to hear of.
    ///   - templates: By name.
    public init(name: String, channel: PushChannel, tags: [Tag] = [], templates: [InstallationTemplate] = []) {
        self.name = name
        self.channel = channel
        self.tags = tags
        self.templates = templates
    }
}
