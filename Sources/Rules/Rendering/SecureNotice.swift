import NewsEvents

/// The notice that subscribers see instead of the text of a secure event: `text.secure` of the configuration.
package struct SecureNotice: Sendable, Equatable {
    /// The origin of the text of a target, as named in outcomes and the ledger.
    package static let template = "secure"
    /// The maximum size of the notice in one language, in bytes: all languages are sent together.
    private static let longest = 512

    /// The notice in every offered language, in the form of an event's texts.
    package let news: RenderedNews

    /// Checks the notice.
    ///
    /// - Parameters:
    ///   - source: The configured notice.
    ///   - locales: The languages that need a notice.
    /// - Throws: ``RuleProblems`` with paths such as `text.secure.fr`.
    init(_ source: TextRules.Source, locales: OfferedLocales) throws(RuleProblems) {
        let path = "text.secure"
        let problems = Self.problems(of: source, path: path)
        guard problems.isEmpty else { throw RuleProblems(problems) }
        let words = try LocalizedPattern(source, path: path, locales: locales)
        let notices = locales.offered.enumerated().map { index, locale in
            let pattern = words.patterns[words.place(forLocale: index, foreignText: nil)]
            return RenderedText(
                locale: locale,
                textFrom: locale,
                headline: Self.text(of: pattern),
                summary: nil,
                isTruncated: false
            )
        }
        news = RenderedNews(locales: notices, defaultIndex: locales.defaultIndex)
    }

    private static func text(of pattern: MessagePattern) -> String {
        TextCleaning.clean(pattern.formatted { _ in "" })
    }

    /// The problems of single notices. A notice with an invalid pattern is reported when the patterns are parsed.
    private static func problems(of source: TextRules.Source, path: String) -> [ValidationProblem] {
        let notices: [(path: String, text: String)] =
            switch source {
            case .all(let text): [(path, text)]
            case .byLocale(let entries): entries.map { ("\(path).\($0.locale)", $0.pattern) }
            }
        return notices.compactMap { path, text in
            guard let pattern = try? MessagePattern(text) else { return nil }
            return fault(in: pattern, Self.text(of: pattern)).map { ValidationProblem(path: path, message: $0) }
        }
    }

    private static func fault(in pattern: MessagePattern, _ text: String) -> String? {
        guard pattern.arguments.isEmpty, !pattern.hasChoices else {
            return "must not contain braces: it replaces the text and must reveal nothing about the event"
        }
        if text.isEmpty { return "is empty; write a text that everyone may see, such as \"You have a message\"" }
        return text.utf8.count > longest ? "has \(text.utf8.count) bytes; write at most \(longest)" : nil
    }
}
