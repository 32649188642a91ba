import NewsflashBasics
import NotificationHubsCore

/// The rules for literal values in fields of Apple's templates.
///
/// Source: the .NET SDK; the service's own check is assumed to be similar.
enum AppleTemplateRules {
    /// Decodes the expiry.
    ///
    /// - Parameters:
    ///   - text: An expression, a date or `0`.
    ///   - platform: The platform; any except Apple's leads to a warning.
    ///   - fields: The reader of the template's fields.
    /// - Returns: The expiry, or `nil` if `text` is `nil`.
    /// - Throws: ``TemplateError`` for any other text, including an empty one.
    static func expiry(
        _ text: String?,
        platform: PushPlatform,
        fields: inout TemplateFieldReader
    ) throws(TemplateError) -> TemplateExpression? {
        try read(text, at: "/expiry", platform: platform, fields: &fields) { text throws(TemplateError) in
            guard text == "0" || text.looksLikeDate else {
                throw TemplateError(.invalidExpiry, "the expiry must be an expression, a date or 0", path: "/expiry")
            }
        }
    }

    /// Decodes the priority.
    ///
    /// - Parameters:
    ///   - text: An expression or a number up to 255.
    ///   - platform: The platform; any except Apple's leads to a warning.
    ///   - fields: The reader of the template's fields.
    /// - Returns: The priority, or `nil` if `text` is `nil`.
    /// - Throws: ``TemplateError`` for any other text, including an empty one.
    static func priority(
        _ text: String?,
        platform: PushPlatform,
        fields: inout TemplateFieldReader
    ) throws(TemplateError) -> TemplateExpression? {
        try read(text, at: "/priority", platform: platform, fields: &fields) { text throws(TemplateError) in
            guard UInt8(text) != nil else { throw invalidPriority("/priority") }
        }
    }

    /// Checks the literal value of a header.
    ///
    /// - Parameters:
    ///   - header: A header whose value is not an expression.
    ///   - path: The path of the field, for errors.
    /// - Throws: ``TemplateError`` if a priority or an expiry is not a number.
    static func checkHeader(_ header: NamedValue, path: String) throws(TemplateError) {
        switch header.name.lowercasedASCII {
        case "apns-priority":
            guard UInt8(header.value) != nil else { throw invalidPriority(path) }
        case "apns-expiration", "apns-expiry":
            guard Int64(header.value) != nil else {
                throw TemplateError(
                    .invalidExpiry,
                    "\(header.name) must be an expression or seconds since 1970",
                    path: path
                )
            }
        default: break
        }
    }

    private static func invalidPriority(_ path: String) -> TemplateError {
        TemplateError(.invalidPriority, "the priority must be an expression or a number up to 255", path: path)
    }

    private static func read(
        _ text: String?,
        at path: String,
        platform: PushPlatform,
        fields: inout TemplateFieldReader,
        check: (String) throws(TemplateError) -> Void
    ) throws(TemplateError) -> TemplateExpression? {
        guard let text else { return nil }
        let expression = try fields.expression(text, at: path)
        if platform != .apns {
            fields.warn("supported only for Apple", at: path)
        } else if expression.isLiteral {
            try check(text)
        }
        return expression
    }
}

extension String {
    /// Whether the text is a date, for example `2026-06-01`, `2026-06-01T12:00:00Z` or `6/1/2026 5 PM`.
    ///
    /// The SDK uses .NET's parser, which accepts more. This check rejects only texts that hardly any parser accepts.
    fileprivate var looksLikeDate: Bool {
        let parts = split(maxSplits: 1) { $0 == "T" || $0 == " " }
        guard let date = parts.first else { return false }
        let isISO = date.contains("-")
        let numbers = date.split(separator: isISO ? "-" : "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let first = numbers[0], let second = numbers[1], let third = numbers[2] else {
            return false
        }
        let (year, month, day) = isISO ? (first, second, third) : (third, first, second)
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return false }
        guard parts.count == 2 else { return true }
        return parts[1].utf8.first?.isDigit == true && parts[1].utf8.allSatisfy(\.isTimeCharacter)
    }
}

extension UInt8 {
    fileprivate var isTimeCharacter: Bool {
        isDigit || ":.+-Zz AaPpMm".utf8.contains(self)
    }
}
