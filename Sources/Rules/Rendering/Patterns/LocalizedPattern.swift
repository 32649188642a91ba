import NewsEvents

/// The words for one kind of message in every language. An object, because each event looks at them and none changes them.
final class LocalizedPattern: Sendable {
    let patterns: [MessagePattern]
    /// Whether arguments beside the texts stand in them.
    let hasFacts: Bool
    private let keys: [LocaleKey]
    /// The key of each of ``patterns`` in the configuration, such as `text.flash.fr`.
    private let paths: [String]
    /// For each offered language the place of its pattern, found by the same fallback as texts.
    private let placeByLocale: [Int]

    init(_ source: TextRules.Source, path: String, locales: OfferedLocales) throws(RuleProblems) {
        var problems: [RuleProblem] = []
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
                problems.append(RuleProblem(path: path, message: message))
            }
            for (locale, text) in entries {
                let path = "\(path).\(locale)"
                let pattern = Self.pattern(text, path: path, problems: &problems)
                guard let tag = LanguageTag(locale, allowingUnderscores: true), locale != "false" else {
                    let message = "\"\(locale)\" is no language tag; write it as in pt-BR, and \"no\" in quotes"
                    problems.append(RuleProblem(path: path, message: message))
                    continue
                }
                if keys.contains(where: { $0.tag == tag }) {
                    problems.append(RuleProblem(path: path, message: "\(tag) has a pattern already; keep one"))
                }
                if let pattern, let first = patterns.first, pattern.arguments != first.arguments {
                    let message = "must have the same arguments as the pattern of \(keys[0].tag): \(first.argumentList)"
                    problems.append(RuleProblem(path: path, message: message))
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
            let message = "is missing: readers of languages without a pattern get this one"
            problems.append(RuleProblem(path: "\(path).\(locales.default)", message: message))
        }
        guard problems.isEmpty, let places else { throw RuleProblems(problems) }
        self.patterns = patterns
        self.hasFacts = patterns.contains(where: \.hasFacts)
        self.keys = keys
        self.paths = paths
        self.placeByLocale = places
    }

    /// The place of the pattern for a text that a reader of an offered language is given.
    ///
    /// Words and text are to be of one language: a reader of French who is given an English text is given English words
    /// around it. Where that language has none, the reader's own language says it, then the default one: words in
    /// two languages are better than a withdrawal that looks like news.
    ///
    /// - Parameters:
    ///   - locale: The reader's language among those offered.
    ///   - foreignText: The text's language where it is another than the reader's.
    /// - Returns: A place in ``patterns``.
    func place(forLocale locale: Int, foreignText: LocaleFallback?) -> Int {
        if keys.isEmpty { return 0 }
        return foreignText?.choose(among: keys) ?? placeByLocale[locale]
    }

    /// Offered languages whose readers are told in words of another language.
    func warnings(path: String, locales: OfferedLocales) -> [RuleProblem] {
        if keys.isEmpty { return [] }
        return locales.offered.indices.compactMap { index in
            guard locales.fallbacks[index].choose(among: keys) == nil else { return nil }
            let used = keys[placeByLocale[index]].tag
            return RuleProblem(
                path: "\(path).\(locales.offered[index])",
                message: "is missing; readers get the words of \(used)"
            )
        }
    }

    /// Looks for words that their newsroom hardly meant.
    ///
    /// - Parameters:
    ///   - limit: Of the headline with the words around it.
    ///   - kinds: The kinds whose events get these words.
    /// - Returns: Warnings with the keys of the patterns.
    func warnings(limit: TextBudget, kinds: [TextKind]) -> [RuleProblem] {
        zip(patterns, paths).flatMap { pattern, path in
            var messages: [String] = []
            if !pattern.alwaysHasHeadline {
                messages.append(
                    pattern.hasSummary && !pattern.hasHeadline
                        ? "has no {headline}: the headline of an event without a summary is shown without these words"
                        : "shows no {headline}, or not in every case; put it into every text"
                )
            }
            messages += limit.warnings(aboutWords: pattern.longestWords)
            messages += pattern.impossibleSelectors(kinds: kinds) { _ in true }
            return messages.map { RuleProblem(path: path, message: $0) }
        }
    }

    private static func places(for locales: OfferedLocales, keys: [LocaleKey]) -> [Int]? {
        if keys.isEmpty { return [] }
        guard let standard = locales.fallbacks[locales.defaultIndex].choose(among: keys) else { return nil }
        return locales.fallbacks.map { $0.choose(among: keys) ?? standard }
    }

    private static func pattern(_ text: String, path: String, problems: inout [RuleProblem]) -> MessagePattern? {
        let length = text.unicodeScalars.count
        guard length <= TextRules.longestPattern else {
            let message = "has \(length) characters; write at most \(TextRules.longestPattern)"
            problems.append(RuleProblem(path: path, message: message))
            return nil
        }
        do throws(MessagePatternError) {
            return try MessagePattern(text)
        } catch {
            problems.append(RuleProblem(path: path, message: error.explanation))
            return nil
        }
    }
}

extension MessagePattern {
    /// Looks for branches of choices whose value never occurs.
    ///
    /// - Parameters:
    ///   - kinds: The kinds that `{kind}` can be here.
    ///   - isCategory: Whether a request can go to a category.
    /// - Returns: A message for each.
    func impossibleSelectors(kinds: [TextKind], isCategory: (String) -> Bool) -> [String] {
        choices.flatMap { choice in
            choice.branches.map(\.selector).compactMap { selector in
                if selector == "other" { return nil }
                let name = choice.argument.field.rawValue
                let message = "{\(name), select, …} has words for \"\(selector)\", which never occurs here; "
                switch choice.argument.field {
                case .kind where !kinds.contains { $0.rawValue == selector }:
                    return message + "there is " + kinds.map(\.rawValue).joined(separator: ", ")
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
    /// The fewest characters of a headline that say something: about four words.
    private static let leastHeadline = 24

    /// Returns a message if words leave too little of the room to the headline that they surround.
    fileprivate func warnings(aboutWords words: String) -> [String] {
        // A character has four bytes at most, except for those that are made of several.
        let room = max(0, min(characters - words.count, (bytes - encoding.bytes(of: words)) / 4))
        guard !words.isEmpty, room < min(Self.leastHeadline, characters / 2) else { return [] }
        return [
            "leaves \(room) of the \(characters) characters of limits.headline for the headline; shorten the words, or raise "
                + "the limit"
        ]
    }
}
