import ASCII
import NotificationHubsCore

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
