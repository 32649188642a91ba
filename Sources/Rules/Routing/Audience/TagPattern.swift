package import NewsflashEvents
package import NotificationHubs

/// The pattern of tags: `tags: "{category}.{locale}"`.
///
/// Categories and languages are inserted as in the configuration, including case, because apps registered with these exact
/// tags.
package struct TagPattern: Sendable, Equatable {
    private enum Part: Equatable {
        case literal(String)
        case category
        case locale
    }

    private let parts: [Part]
    /// The key in the configuration.
    let path: String

    /// Whether each language has its own tags, and so its own requests.
    package let hasLocale: Bool
    /// Whether each category has its own tags; otherwise all share one audience.
    package let hasCategory: Bool

    /// Parses a pattern.
    ///
    /// - Parameters:
    ///   - text: Characters of tags with `{category}` and `{locale}`.
    ///   - path: The key in the configuration.
    /// - Throws: ``ValidationProblem`` with the position of the first fault.
    package init(_ text: String, path: String = "send.tags") throws(ValidationProblem) {
        var parts: [Part] = []
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            if brace > rest.startIndex { parts.append(.literal(String(rest[..<brace]))) }
            let name = rest[brace...].prefix { $0 != "}" }.dropFirst()
            switch name {
            case "category": parts.append(.category)
            case "locale": parts.append(.locale)
            default:
                let place = text.distance(from: text.startIndex, to: brace) + 1
                let message = "{\(name)} at character \(place) is unknown; use {category} and {locale}"
                throw ValidationProblem(path: path, message: message)
            }
            guard name.endIndex < rest.endIndex else {
                throw ValidationProblem(path: path, message: "the last { is never closed")
            }
            rest = rest[rest.index(after: name.endIndex)...]
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        self.parts = parts
        self.hasLocale = parts.contains(.locale)
        self.hasCategory = parts.contains(.category)
        self.path = path
        do throws(HubValueError) {
            _ = try tag(category: "x", locale: "x")
        } catch {
            throw ValidationProblem(path: path, message: "\"\(text)\" makes an invalid tag: \(error.message)")
        }
    }

    /// Makes a tag.
    ///
    /// - Parameters:
    ///   - category: The value of `{category}`.
    ///   - locale: The value of `{locale}`.
    /// - Returns: The tag.
    /// - Throws: `HubValueError` if the result is too long or has a character that is not allowed in tags.
    package func tag(category: String, locale: String) throws(HubValueError) -> Tag {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .category: text += category
            case .locale: text += locale
            }
        }
        return try Tag(text)
    }
}
