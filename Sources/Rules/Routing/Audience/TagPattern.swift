package import NewsEvents
package import NotificationHubs

/// How tags are made of categories and languages: `tags: "{category}.{locale}"`.
///
/// Both are put in as the configuration writes them, case included, since apps registered with these very tags.
package struct TagPattern: Sendable, Equatable {
    private enum Part: Equatable {
        case literal(String)
        case category
        case locale
    }

    private let parts: [Part]
    /// The key in the configuration.
    let path: String

    /// Whether each language has tags of its own, and so a request of its own.
    package let hasLocale: Bool
    /// Whether each category has tags of its own; else there is one audience for all.
    package let hasCategory: Bool

    /// Reads a pattern.
    ///
    /// - Parameters:
    ///   - text: Characters of tags with `{category}` and `{locale}`.
    ///   - path: The key in the configuration.
    /// - Throws: ``RuleProblem`` with the place of the first fault.
    package init(_ text: String, path: String = "send.tags") throws(RuleProblem) {
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
                let message = "{\(name)} at character \(place) is no part of a tag; there are {category} and {locale}"
                throw RuleProblem(path: path, message: message)
            }
            guard name.endIndex < rest.endIndex else {
                throw RuleProblem(path: path, message: "the last { is never closed")
            }
            rest = rest[rest.index(after: name.endIndex)...]
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        self.parts = parts
        self.hasLocale = parts.contains(.locale)
        self.hasCategory = parts.contains(.category)
        self.path = path
        do throws(TagError) {
            _ = try tag(category: "x", locale: "x")
        } catch {
            throw RuleProblem(path: path, message: "\"\(text)\" makes no tag: \(error.message)")
        }
    }

    /// Makes a tag.
    ///
    /// - Parameters:
    ///   - category: What `{category}` stands for.
    ///   - locale: What `{locale}` stands for.
    /// - Returns: The tag.
    /// - Throws: `TagError` where the result is too long or has a character that tags do not have.
    package func tag(category: String, locale: String) throws(TagError) -> Tag {
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
