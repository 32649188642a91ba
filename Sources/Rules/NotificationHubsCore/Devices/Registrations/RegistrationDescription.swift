/// What a device registers: how it is reached, its tags and, in a template registration, how its notifications are made.
///
/// One handle may hold several registrations; each gets its own notification
/// (https://learn.microsoft.com/azure/notification-hubs/notification-hubs-push-notification-registration-management).
public struct RegistrationDescription: Hashable, Sendable {
    /// The most tags of a registration or installation.
    public static let maximumTags = 60
    /// The most bytes of all tags, joined with commas.
    public static let maximumTagBytes = 8000

    /// What the device wants to hear of.
    public var tags: [Tag]
    /// Values of its own for templates; a message's property of the same name goes first.
    public var pushVariables: [NamedValue]
    /// How it is reached.
    public var channel: PushChannel
    /// The secondary tile that it is for; only with Windows.
    public var secondaryTileName: String?
    /// How notifications are made of template messages; nothing in a native registration.
    public var template: TemplateDescription?

    /// Makes a description.
    ///
    /// - Parameters:
    ///   - channel: How the device is reached.
    ///   - tags: What it wants to hear of.
    ///   - pushVariables: Values of its own for templates.
    ///   - secondaryTileName: The secondary tile that it is for.
    ///   - template: How its notifications are made.
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

/// How notifications are made of template messages, as a device registered it. Any field may hold expressions.
public struct TemplateDescription: Hashable, Sendable {
    /// The most characters of a name.
    public static let maximumNameLength = 200

    /// A name of the app's choice.
    public var name: String?
    /// JSON or, with Windows, XML, in which values may be expressions.
    public var body: String
    /// Headers for the push service: `X-WNS-…`, `X-WindowsPhone-Target`, `apns-…`.
    public var headers: [NamedValue]
    /// When the notification loses its worth; only with Apple.
    public var expiry: String?
    /// How urgent it is; only with Apple.
    public var priority: String?

    /// Makes a template.
    ///
    /// - Parameters:
    ///   - name: A name of the app's choice.
    ///   - body: JSON or XML.
    ///   - headers: Headers for the push service.
    ///   - expiry: When the notification loses its worth.
    ///   - priority: How urgent it is.
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
