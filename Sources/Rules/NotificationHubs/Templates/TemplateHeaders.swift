import ASCII
import NotificationHubsCore

/// Which headers templates may have.
enum TemplateHeaders {
    /// What names of Apple's headers begin with.
    private static let applePrefix = "apns-"

    /// Reads the headers of a template.
    ///
    /// - Parameters:
    ///   - given: The template's own.
    ///   - derived: Those that follow from the body; added where the template has none of the name.
    ///   - template: The template's name, for the service's words.
    ///   - platform: Of the device.
    ///   - fields: Reads the values.
    /// - Returns: In order, the derived ones last.
    /// - Throws: ``TemplateError`` for headers on a platform without, and for a name or value that is not allowed.
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
                    "the names of Apple's headers begin with \(applePrefix)",
                    path: path
                )
            }
        } else if header.value.allSatisfy(\.isWhitespace) {
            throw TemplateError(.invalidHeader, "the value of the header \(header.name) is empty", path: path)
        }
    }
}
