public import NewsflashTimestamps

/// The content of a registration: the device's channel, its tags and, in a template registration, its template.
///
/// A handle may have several registrations; each gets its own notification
/// (https://learn.microsoft.com/azure/notification-hubs/notification-hubs-push-notification-registration-management).
///
/// ```swift
/// let phone = RegistrationDescription(
///     channel: .apns(deviceToken: token),
///     tags: [try Tag("world")],
///     template: TemplateDescription(body: #"{"aps":{"alert":"$(headline)"}}"#)
/// )
/// ```
public struct RegistrationDescription: Hashable, Sendable {
    /// The maximum number of tags of a registration or installation.
    public static let maximumTags = 60
    /// The maximum size of all tags in bytes, joined with commas.
    public static let maximumTagBytes = 8000

    /// The tags that the device subscribes to.
    public var tags: [Tag]
    /// The device's own values for templates; a message's property of the same name has precedence.
    public var pushVariables: [NamedValue]
    /// The address of the app at its push service.
    public var channel: PushChannel
    /// The name of the registration's secondary tile; only for Windows.
    public var secondaryTileName: String?
    /// The template for template messages; `nil` in a native registration.
    public var template: TemplateDescription?

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - channel: The address of the app at its push service.
    ///   - tags: The tags that the device subscribes to.
    ///   - pushVariables: The device's own values for templates.
    ///   - secondaryTileName: The name of the registration's secondary tile.
    ///   - template: The template for template messages.
    public init(
        channel: PushChannel,
        tags: [Tag] = [],
        pushVariables: [NamedValue] = [],
        secondaryTileName: String? = nil,
        template: TemplateDescription? = nil
    ) {
        self.tags = tags
        self.pushVariables = pushVariables
        self.channel = channel
        self.secondaryTileName = secondaryTileName
        self.template = template
    }
}

/// A template as registered by a device: renders notifications from template messages. Any field may contain expressions.
///
/// ```swift
/// let template = TemplateDescription(name: "news", body: #"{"aps":{"alert":"$(headline)"}}"#, expiry: "0")
/// ```
public struct TemplateDescription: Hashable, Sendable {
    /// The maximum number of characters in a name.
    public static let maximumNameLength = 200

    /// The name, chosen by the app.
    public var name: String?
    /// JSON, or XML for Windows; its values may be expressions.
    public var body: String
    /// Headers for the push service: `X-WNS-…`, `X-WindowsPhone-Target`, `apns-…`.
    public var headers: [NamedValue]
    /// When the notification expires; only for Apple.
    public var expiry: String?
    /// The urgency of the notification; only for Apple.
    public var priority: String?

    /// Creates a template.
    ///
    /// - Parameters:
    ///   - name: The name, chosen by the app.
    ///   - body: JSON or XML.
    ///   - headers: Headers for the push service.
    ///   - expiry: When the notification expires.
    ///   - priority: The urgency of the notification.
    public init(
        name: String? = nil,
        body: String,
        headers: [NamedValue] = [],
        expiry: String? = nil,
        priority: String? = nil
    ) {
        self.name = name
        self.body = body
        self.headers = headers
        self.expiry = expiry
        self.priority = priority
    }
}

/// A registration as stored by the hub.
///
/// ```swift
/// if let registration = try await hub.registration(id) {
///     print(registration.etag, registration.description.tags)
/// }
/// ```
public struct Registration: Hashable, Sendable {
    /// The ID, chosen by the hub or the client, for example `7260336227650468927-4200236381151834034-1`.
    public var id: String
    /// The version: 1 at first, incremented with each write.
    public var etag: Int64
    /// When the hub deletes the registration; `nil` for never.
    public var expiration: Timestamp?
    /// The device, its tags and its template.
    public var description: RegistrationDescription

    /// Creates a registration.
    ///
    /// - Parameters:
    ///   - id: The ID.
    ///   - etag: The version, from 1.
    ///   - expiration: When the hub deletes the registration; `nil` for never.
    ///   - description: The device, its tags and its template.
    public init(id: String, etag: Int64 = 1, expiration: Timestamp? = nil, description: RegistrationDescription) {
        self.id = id
        self.etag = etag
        self.expiration = expiration
        self.description = description
    }
}
