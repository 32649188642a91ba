import NewsEvents

/// The words for one kind of message in every language. An object, because each event looks at them and none changes them.
final class LocalizedPattern: Sendable {
    let patterns: [MessagePattern]
    /// Whether arguments beside the texts stand in them.
    let hasFacts: Bool
    private let keys: [LocaleKey]
    /// For each offered language the place of its pattern, found by the same fallback as texts.
    private let placeByLocale: [Int]

    init(_ source: TextRules.Source, path: String, locales: OfferedLocales) throws(RuleProblems) {
        var problems: [RuleProblem] = []
        var patterns: [MessagePattern] = []
        var keys: [LocaleKey] = []
        switch source {
        case .all(let text):
            if let pattern = Self.pattern(text, path: path, problems: &problems) {
                patterns.append(pattern)
                problems += pattern.faults(in: locales.fallbacks.map(\.key.tag), path: path)
            }
        case .byLocale(let entries):
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
                    problems += pattern.faults(in: [tag], path: path)
                    patterns.append(pattern)
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

    /// How the language of a pattern counts.
    ///
    /// - Parameters:
    ///   - place: In ``patterns``.
    ///   - text: The language of the text that is put in, for a pattern that is for all languages.
    /// - Returns: Its rules.
    func pluralRules(at place: Int, text: String) -> PluralRules {
        let tag = keys.isEmpty ? LanguageTag(text) : keys[place].tag
        return PluralRules(tag ?? LanguageTag(language: "und", script: nil, region: nil))
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

    private static func places(for locales: OfferedLocales, keys: [LocaleKey]) -> [Int]? {
        if keys.isEmpty { return [] }
        guard let standard = locales.fallbacks[locales.defaultIndex].choose(among: keys) else { return nil }
        return locales.fallbacks.map { $0.choose(among: keys) ?? standard }
    }

    private static func pattern(_ text: String, path: String, problems: inout [RuleProblem]) -> MessagePattern? {
        do throws(MessagePatternError) {
            return try MessagePattern(text)
        } catch {
            problems.append(RuleProblem(path: path, message: error.explanation))
            return nil
        }
    }
}

extension MessagePattern {
    /// What is wrong with the forms of words beside numbers.
    ///
    /// - Parameters:
    ///   - tags: The languages that the pattern is for.
    ///   - path: Its key in the configuration.
    /// - Returns: A problem for each choice.
    func faults(in tags: [LanguageTag], path: String) -> [RuleProblem] {
        choices.compactMap { choice in
            choice.fault(in: tags.map { ($0.description, PluralRules($0)) })
                .map { RuleProblem(path: path, message: $0) }
        }
    }

    fileprivate var argumentList: String {
        let names = arguments.map { "{\($0.field.rawValue)}" }.sorted()
        return names.isEmpty ? "none" : names.joined(separator: " ")
    }
}
