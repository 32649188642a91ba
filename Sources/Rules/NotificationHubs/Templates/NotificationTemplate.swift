import ASCII
public import NotificationHubsCore

/// A device's template, checked as the hub checks it and prepared for rendering.
///
/// Creating a template is slow and devices share few of them, so create each once and render it for all its devices.
public struct NotificationTemplate: Sendable {
    /// The platform whose notifications the template renders.
    public let platform: PushPlatform
    /// The properties used in any field, in lower case.
    public let properties: Set<String>
    /// The subset of ``properties`` that is used somewhere without a default such as in `$(name:{instead})`. If a message lacks
    /// the
    /// property, that part is empty.
    public let requiredProperties: Set<String>
    /// Warnings, each with its field: the hub accepts the template, but the notification does not arrive or is not as intended.
    public let warnings: [String]
    private let body: TemplateBody
    private let headers: [(name: String, value: TemplateExpression)]
    private let expiry: TemplateExpression?
    private let priority: TemplateExpression?

    /// Checks and prepares a template.
    ///
    /// - Parameters:
    ///   - description: The template as registered by the device.
    ///   - platform: The device's platform.
    /// - Throws: ``TemplateError`` for the first invalid field.
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
        // .NET counts UTF-16 code units.
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

    /// Renders the notification for one device.
    ///
    /// - Parameters:
    ///   - values: The values of the message and the device.
    ///   - maximumBytes: The size at which rendering of the body stops, and of all headers together. A template of 64 KB can
    ///     refer to a value of 64 KB a thousand times.
    /// - Returns: The notification for the push service; its size is not checked against the platform's (see ``PayloadCheck``).
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

    /// Whether the push variables of a device affect the rendering; if so, the device cannot share its rendering with others.
    ///
    /// - Parameter pushVariables: The device's push variables.
    /// - Returns: Whether any field uses one of them.
    public func reads(any pushVariables: [NamedValue]) -> Bool {
        pushVariables.contains { properties.contains($0.name.lowercasedASCII) }
    }
}
