import NewsflashEvents

/// The patterns for one kind of message in every language. An object, because each event uses it and none changes it.
final class LocalizedPattern: Sendable {
    let patterns: [MessagePattern]
    /// Whether they have arguments other than the texts.
    let hasFacts: Bool
    private let keys: [LocaleKey]
    /// The key of each of ``patterns`` in the configuration, such as `text.flash.fr`.
    private let paths: [String]
    /// The index of the pattern for each offered language, found by the same fallback as texts.
    private let placeByLocale: [Int]

    init(_ source: TextRules.Source, path: String, locales: OfferedLocales) throws(RuleProblems) {
        var problems: [ValidationProblem] = []
        var patterns: [MessagePattern] = []
        var keys: [LocaleKey] = []
        var paths: [String] = []
        switch source {
        case .all(let text):
            if let pattern = Self.pattern(text, path: path, problems: &problems) {
                patterns.append(pattern)
                paths.append(path)
            }
        case .byLocale(let entries):
            if entries.count > OfferedLocales.maximumCount {
                let message = "has \(entries.count) languages; write at most \(OfferedLocales.maximumCount)"
                problems.append(ValidationProblem(path: path, message: message))
            }
            for (locale, text) in entries {
                let path = "\(path).\(locale)"
                let pattern = Self.pattern(text, path: path, problems: &problems)
                guard let tag = LanguageTag(locale, allowingUnderscores: true), locale != "false" else {
                    let message = "\"\(locale)\" is not a language tag; write it as in pt-BR, and \"no\" in quotes"
                    problems.append(ValidationProblem(path: path, message: message))
                    continue
                }
                if keys.contains(where: { $0.tag == tag }) {
                    problems.append(ValidationProblem(path: path, message: "\(tag) has a pattern already; keep one"))
                }
                if let pattern, let first = patterns.first, pattern.arguments != first.arguments {
                    let message = "must have the same arguments as the pattern of \(keys[0].tag): \(first.argumentList)"
                    problems.append(ValidationProblem(path: path, message: message))
                }
                if let pattern {
                    patterns.append(pattern)
                    paths.append(path)
                    keys.append(LocaleKey(tag))
                }
            }
        }
        let places = Self.places(for: locales, keys: keys)
        if problems.isEmpty, places == nil {
            let message = "is missing: it is used for languages without a pattern"
            problems.append(ValidationProblem(path: "\(path).\(locales.default)", message: message))
        }
        guard problems.isEmpty, let places else { throw RuleProblems(problems) }
        self.patterns = patterns
        self.hasFacts = patterns.contains(where: \.hasFacts)
        self.keys = keys
        self.paths = paths
        self.placeByLocale = places
    }

    /// The index of the pattern for a text that subscribers of an offered language get.
    ///
    /// The pattern has the language of the text if possible: a French subscriber who gets an English text gets an English
    /// pattern around it. If that language has no pattern, that of the subscriber's own language is used, then the default
    /// one: words in two languages are better than a withdrawal that looks like news.
    ///
    /// - Parameters:
    ///   - locale: The index of the subscriber's language among those offered.
    ///   - foreignText: The text's language if it is not the subscriber's.
    /// - Returns: An index in ``patterns``.
    func place(forLocale locale: Int, foreignText: LocaleFallback?) -> Int {
        if keys.isEmpty { return 0 }
        return foreignText?.choose(among: keys) ?? placeByLocale[locale]
    }

    /// Warnings about offered languages whose subscribers get the pattern of another language.
    func warnings(path: String, locales: OfferedLocales) -> [ValidationProblem] {
        if keys.isEmpty { return [] }
        return locales.offered.indices.compactMap { index in
            guard locales.fallbacks[index].choose(among: keys) == nil else { return nil }
            let used = keys[placeByLocale[index]].tag
            return ValidationProblem(
                path: "\(path).\(locales.offered[index])",
                message: "is missing; the pattern of \(used) is used instead"
            )
        }
    }

    /// Finds patterns that are probably mistakes.
    ///
    /// - Parameters:
    ///   - limit: The limit of the headline including its pattern.
    ///   - kinds: The kinds whose events get these patterns.
    /// - Returns: Warnings with the keys of the patterns.
    func warnings(limit: TextBudget, kinds: [TextKind]) -> [ValidationProblem] {
        zip(patterns, paths).flatMap { pattern, path in
            var messages: [String] = []
            if !pattern.alwaysHasHeadline {
                messages.append(
                    pattern.hasSummary && !pattern.hasHeadline
                        ? "has no {headline}: the headline of an event without a summary is shown without this pattern"
                        : "does not contain {headline}, or not in every case; add it to every text"
                )
            }
            messages += limit.warnings(aboutWords: pattern.longestWords)
            messages += pattern.impossibleSelectors(kinds: kinds) { _ in true }
            return messages.map { ValidationProblem(path: path, message: $0) }
        }
    }

    private static func places(for locales: OfferedLocales, keys: [LocaleKey]) -> [Int]? {
        if keys.isEmpty { return [] }
        guard let standard = locales.fallbacks[locales.defaultIndex].choose(among: keys) else { return nil }
        return locales.fallbacks.map { $0.choose(among: keys) ?? standard }
    }

    private static func pattern(_ text: String, path: String, problems: inout [ValidationProblem]) -> MessagePattern? {
        let length = text.unicodeScalars.count
        guard length <= TextRules.longestPattern else {
            let message = "has \(length) characters; write at most \(TextRules.longestPattern)"
            problems.append(ValidationProblem(path: path, message: message))
            return nil
        }
        do throws(MessagePatternError) {
            return try MessagePattern(text)
        } catch {
            problems.append(ValidationProblem(path: path, message: error.explanation))
            return nil
        }
    }
}

extension MessagePattern {
    /// Finds branches of choices whose value never occurs.
    ///
    /// - Parameters:
    ///   - kinds: The possible values of `{kind}` here.
    ///   - isCategory: Whether a request can be for a category.
    /// - Returns: A message for each such branch.
    func impossibleSelectors(kinds: [TextKind], isCategory: (String) -> Bool) -> [String] {
        choices.flatMap { choice in
            choice.branches.map(\.selector).compactMap { selector in
                if selector == "other" { return nil }
                let name = choice.argument.field.rawValue
                let message = "{\(name), select, …} has words for \"\(selector)\", which never occurs here; "
                switch choice.argument.field {
                case .kind where !kinds.contains { $0.rawValue == selector }:
                    return message + "use one of " + kinds.map(\.rawValue).joined(separator: ", ")
                case .revision where Int64(selector).map { $0 < 1 || String($0) != selector } ?? true:
                    return message + "revisions are numbers from 1"
                case .category where !isCategory(selector):
                    return message + "it is not one of categories:"
                default: return nil
                }
            }
        }
    }

    fileprivate var argumentList: String {
        let names = arguments.map { "{\($0.field.rawValue)}" }.sorted()
        return names.isEmpty ? "none" : names.joined(separator: " ")
    }
}

extension TextBudget {
    /// The minimum useful length of a headline in characters: about four words.
    private static let leastHeadline = 24

    /// Returns a message if the words of a pattern leave too little room for the headline.
    fileprivate func warnings(aboutWords words: String) -> [String] {
        // A character has at most four bytes, except for characters that consist of several scalars.
        let room = max(0, min(characters - words.count, (bytes - encoding.bytes(of: words)) / 4))
        guard !words.isEmpty, room < min(Self.leastHeadline, characters / 2) else { return [] }
        return [
            "leaves \(room) of the \(characters) characters of limits.headline for the headline; shorten the words, or raise "
                + "the limit"
        ]
    }
}
