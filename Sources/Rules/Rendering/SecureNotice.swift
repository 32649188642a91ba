import NewsEvents

/// What readers are shown in place of words that may not travel: `text.secure` of the configuration.
package struct SecureNotice: Sendable, Equatable {
    /// Where the words of a target came from, as outcomes and the ledger call it.
    package static let template = "secure"
    /// The most bytes of the notice in one language: all languages travel together.
    private static let longest = 512

    /// The notice in every offered language, in the place of an event's words.
    package let news: RenderedNews

    /// Checks the notice.
    ///
    /// - Parameters:
    ///   - source: What the configuration says.
    ///   - locales: The languages that must find one.
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

    /// What is wrong with single notices; what cannot be read at all is found with the patterns.
    private static func problems(of source: TextRules.Source, path: String) -> [RuleProblem] {
        let notices: [(path: String, text: String)] =
            switch source {
            case .all(let text): [(path, text)]
            case .byLocale(let entries): entries.map { ("\(path).\($0.locale)", $0.pattern) }
            }
        return notices.compactMap { path, text in
            guard let pattern = try? MessagePattern(text) else { return nil }
            return fault(in: pattern, Self.text(of: pattern)).map { RuleProblem(path: path, message: $0) }
        }
    }

    private static func fault(in pattern: MessagePattern, _ text: String) -> String? {
        guard pattern.arguments.isEmpty, !pattern.hasChoices else {
            return "must hold nothing in braces: it is shown in place of the words and may say nothing of the event"
        }
        if text.isEmpty { return "shows nothing; write what every reader may see, such as \"You have a message\"" }
        return text.utf8.count > longest ? "has \(text.utf8.count) bytes; write \(longest) at most" : nil
    }
}
