import NewsflashBasics
package import NotificationHubsCore

/// A device's template, checked as the hub checks it and prepared for rendering.
///
/// Creating a template is slow and devices share few of them, so create each once and render it for all its devices.
package struct NotificationTemplate: Sendable {
    /// The platform whose notifications the template renders.
    package let platform: PushPlatform
    /// The properties used in any field, in lower case.
    package let properties: Set<String>
    /// The subset of ``properties`` that is used somewhere without a default such as in `$(name:{instead})`. If a message lacks
    /// the
    /// property, that part is empty.
    package let requiredProperties: Set<String>
    /// Warnings, each with its field: the hub accepts the template, but the notification does not arrive or is not as intended.
    package let warnings: [String]
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
    package init(_ description: TemplateDescription, platform: PushPlatform) throws(TemplateError) {
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
    package func render(_ values: TemplateValues, maximumBytes: Int = .max) -> RenderedNotification {
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
    package func reads(any pushVariables: [NamedValue]) -> Bool {
        pushVariables.contains { properties.contains($0.name.lowercasedASCII) }
    }
}

/// A notification for the push service, rendered from a message with a device's template.
package struct RenderedNotification: Sendable, Hashable {
    /// The payload: JSON or XML in UTF-8.
    package var body: [UInt8]
    /// The headers for the push service, in the template's order; values from the message are not checked.
    package var headers: [NamedValue]
    /// When the notification expires; only for Apple.
    package var expiry: String?
    /// The urgency of the notification; only for Apple.
    package var priority: String?
    /// Whether the notification is complete, and not cut off because of its size.
    package var isWhole = true

    /// Creates a notification.
    ///
    /// - Parameters:
    ///   - body: The payload.
    ///   - headers: The headers for the push service.
    ///   - expiry: When the notification expires.
    ///   - priority: The urgency of the notification.
    package init(body: [UInt8], headers: [NamedValue] = [], expiry: String? = nil, priority: String? = nil) {
        self.body = body
        self.headers = headers
        self.expiry = expiry
        self.priority = priority
    }
}

/// The rules for headers of templates.
enum TemplateHeaders {
    /// The prefix of Apple's header names.
    private static let applePrefix = "apns-"

    /// Decodes the headers of a template.
    ///
    /// - Parameters:
    ///   - given: The template's headers.
    ///   - derived: The headers derived from the body; each is added if the template has none with this name.
    ///   - template: The template's name, for the service's error message.
    ///   - platform: The device's platform.
    ///   - fields: The reader of the template's fields.
    /// - Returns: The headers in order, derived ones last.
    /// - Throws: ``TemplateError`` if the platform does not allow headers, or if a name or a value is invalid.
    static func read(
        _ given: [NamedValue],
        derived: [NamedValue],
        template: String,
        platform: PushPlatform,
        fields: inout TemplateFieldReader
    ) throws(TemplateError) -> [(name: String, value: TemplateExpression)] {
        let isAllowed = platform == .apns || platform == .wns || platform == .mpns
        guard given.isEmpty || isAllowed else {
            throw TemplateError(
                .headersNotAllowed,
                "Template '\(template.prefix(TemplateDescription.maximumNameLength))' is invalid: "
                    + "'Headers' only acceptable for WNS and MPNS",
                path: "/headers"
            )
        }
        var headers: [(name: String, value: TemplateExpression)] = []
        for header in given + derived.filter({ given.value(of: $0.name) == nil }) {
            let path = "/headers/\(header.name)"
            try check(header, platform: platform, path: path)
            let value = try fields.expression(header.value, at: path)
            if platform == .apns, value.isLiteral {
                try AppleTemplateRules.checkHeader(header, path: path)
            }
            headers.append((header.name, value))
        }
        return headers
    }

    private static func check(_ header: NamedValue, platform: PushPlatform, path: String) throws(TemplateError) {
        if platform == .apns {
            guard header.name.lowercasedASCII.hasPrefix(applePrefix) else {
                throw TemplateError(
                    .invalidHeader,
                    "the names of Apple's headers must begin with \(applePrefix)",
                    path: path
                )
            }
        } else if header.value.allSatisfy(\.isWhitespace) {
            throw TemplateError(.invalidHeader, "the value of the header \(header.name) is empty", path: path)
        }
    }
}

/// Parses the fields of a template and collects the properties they use and the warnings.
struct TemplateFieldReader {
    private static let mostWarnings = 100
    private static let longestPlace = 1000

    private(set) var properties: Set<String> = []
    private(set) var requiredProperties: Set<String> = []
    private(set) var warnings: [String] = []

    /// Parses a field.
    ///
    /// - Parameters:
    ///   - text: The whole field, without escapes.
    ///   - path: The path of the field, for errors and warnings.
    /// - Returns: The parsed field.
    /// - Throws: ``TemplateError`` with the path.
    mutating func expression(_ text: String, at path: String) throws(TemplateError) -> TemplateExpression {
        let expression: TemplateExpression
        do throws(TemplateError) {
            expression = try TemplateExpression(parsing: text)
        } catch {
            throw error.inside(path)
        }
        for name in expression.properties { properties.insert(name.lowercasedASCII) }
        requiredProperties.formUnion(expression.requiredKeys)
        if expression.isLiteral, text.contains("$(") {
            warn("this is plain text, including $( ): write {'text ' + $(name)}", at: path)
        }
        if expression.isBareComposite {
            warn("the documentation requires braces around tokens joined with +: write {$(a) + $(b)}", at: path)
        }
        return expression
    }

    /// Adds a warning, up to a limited number.
    mutating func warn(_ text: String, at path: String) {
        guard warnings.count < Self.mostWarnings else { return }
        warnings.append("\(path.prefix(Self.longestPlace)): \(text)")
    }

    /// Appends a step to a path. A long path is not extended: names may have 64 KB and would be copied for each value.
    static func place(_ path: String, _ step: String) -> String {
        path.utf8.count > longestPlace ? path : "\(path)/\(step)"
    }
}
