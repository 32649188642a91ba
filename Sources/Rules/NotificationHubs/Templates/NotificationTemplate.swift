import ASCII
public import NotificationHubsCore

/// A device's template, checked as the hub checks it and laid out for rendering.
///
/// Making one is the slow part; devices share few templates, so make each once and render it for all of them.
public struct NotificationTemplate: Sendable {
    /// Whose notifications it makes.
    public let platform: PushPlatform
    /// The properties that any field reads, in lower case.
    public let properties: Set<String>
    /// The part of ``properties`` that some place reads without a default, as `$(name:{instead})` has one: that place is empty
    /// if a message lacks the property.
    public let requiredProperties: Set<String>
    /// What the hub takes and a user would not want, with the field in front: nothing arrives, or not what was meant.
    public let warnings: [String]
    private let body: TemplateBody
    private let headers: [(name: String, value: TemplateExpression)]
    private let expiry: TemplateExpression?
    private let priority: TemplateExpression?

    /// Checks a template and lays it out.
    ///
    /// - Parameters:
    ///   - description: As the device registered it.
    ///   - platform: Of the device.
    /// - Throws: ``TemplateError`` with the first field that is wrong.
    public init(_ description: TemplateDescription, platform: PushPlatform) throws(TemplateError) {
        var fields = TemplateFieldReader()
        let layout = try TemplateLayout(description, platform: platform, fields: &fields)
        body = layout.body
        expiry = try AppleTemplateRules.expiry(description.expiry, platform: platform, fields: &fields)
        priority = try AppleTemplateRules.priority(description.priority, platform: platform, fields: &fields)
        headers = try TemplateHeaders.read(
            description.headers,
            derived: layout.derivedHeaders,
            template: description.name ?? "",
            platform: platform,
            fields: &fields
        )
        // .NET counts UTF-16 units.
        guard description.name?.utf16.count ?? 0 <= TemplateDescription.maximumNameLength else {
            throw TemplateError(
                .nameTooLong,
                "The template name exceeds the '\(TemplateDescription.maximumNameLength)' character limit.",
                path: "/name"
            )
        }
        self.platform = platform
        properties = fields.properties
        requiredProperties = fields.requiredProperties
        warnings = fields.warnings
    }

    /// Makes the notification of one device.
    ///
    /// - Parameters:
    ///   - values: Of the message and the device.
    ///   - maximumBytes: A body is made only so far, and so are the headers together: a template of 64 KB can name a value
    ///     of 64 KB a thousand times.
    /// - Returns: What the push service is to get; not held to the platform's size (see ``PayloadCheck``).
    public func render(_ values: TemplateValues, maximumBytes: Int = .max) -> RenderedNotification {
        let (body, isWhole) = body.render(values, maximumBytes: maximumBytes)
        var rendered = RenderedNotification(
            body: body,
            expiry: expiry?.text(values, maximumBytes: maximumBytes),
            priority: priority?.text(values, maximumBytes: maximumBytes)
        )
        rendered.isWhole = isWhole
        var room = maximumBytes
        for header in headers {
            let text = header.value.text(values, maximumBytes: room)
            guard text.utf8.count <= room else {
                rendered.isWhole = false
                break
            }
            room -= text.utf8.count
            rendered.headers.append(NamedValue(header.name, text))
        }
        return rendered
    }

    /// Whether the push variables of a device change what is rendered; devices where they do not share one rendering.
    ///
    /// - Parameter pushVariables: Of the device.
    /// - Returns: Whether any field reads one of them.
    public func reads(any pushVariables: [NamedValue]) -> Bool {
        pushVariables.contains { properties.contains($0.name.lowercasedASCII) }
    }
}
