import NewsflashEvents
import NewsflashPlanning
import NewsflashRendering
import NewsflashRouting
import NewsflashYAML
import NotificationHubs

extension NewsSettings {
    /// Reads languages, texts and categories.
    ///
    /// - Parameters:
    ///   - root: The root section of the file.
    ///   - send: The parsed section `send`.
    init?(_ root: ConfigurationSection, send: SendSettings) {
        let localeSection = root.section("locales")
        let offered = localeSection.texts("offered") ?? []
        let standard = localeSection.text("default") ?? offered.first ?? ""
        if offered.isEmpty { localeSection.report("offered", "is missing; list the languages, such as [en, fr]") }
        let locales =
            offered.isEmpty
            ? nil
            : root.context.reporting { () throws(RuleProblems) in
                try OfferedLocales(offered: offered, default: standard)
            }

        let categories = root.context.reporting { () throws(RuleProblems) in try CategoryMap(root) }
        let (text, secure) = TextRules.sources(root.section("text"))
        let limits = TextLimits(root.section("limits"))
        let interruption = InterruptionLevels(root.section("interruption"))

        // A newsroom with its own texts for other kinds has probably forgotten this one.
        if !text.isEmpty, text[.kill] == nil {
            root.section("text").report("kill", "is missing: a withdrawal would be announced in the words of an alert")
        }
        let check = Self.texts(text, secure, limits, of: locales.map { [$0] } ?? Self.locales(offered: offered))
        let rules = root.context.reporting { () throws(RuleProblems) in try check?.get() } ?? nil
        let template = (locales ?? Self.locales(offered: offered).first).flatMap { locales in
            root.context.reporting(prefix: "send.") { () throws(RuleProblems) in
                try TemplateProperties(
                    locales: locales,
                    properties: send.properties,
                    ellipsis: limits.headline.ellipsis
                )
            }
        }
        guard let locales, let audiences = send.audiences, let users = send.users, let categories, let rules,
            let template
        else { return nil }
        for warning in template.warnings(isCategory: categories.canMake) {
            root.context.warn(ValidationProblem(path: "send." + warning.path, message: warning.message))
        }
        for warning in categories.warnings + rules.warnings where text.isEmpty || warning.path != "text.kill" {
            root.context.warn(warning)
        }
        self.init(
            locales: locales,
            text: rules,
            categories: categories,
            audiences: audiences,
            users: users,
            interruption: interruption,
            properties: template,
            limits: limits
        )
    }
}

extension NewsSettings {
    /// The offered languages with each of them as the default, to check texts although the default is wrong.
    private static func locales(offered: [String]) -> [OfferedLocales] {
        offered.compactMap { try? OfferedLocales(offered: offered, default: $0) }
    }

    /// Checks texts with each of several default languages.
    ///
    /// - Returns: The result with the fewest problems, because others are only those of a wrong default; `nil` without
    ///   languages.
    private static func texts(
        _ text: [TextKind: TextRules.Source],
        _ secure: TextRules.Source?,
        _ limits: TextLimits,
        of locales: [OfferedLocales]
    ) -> Result<TextRules, RuleProblems>? {
        locales.map { locales in
            Result { () throws(RuleProblems) in
                try TextRules(text, secure: secure, locales: locales, limits: limits)
            }
        }
        .min { $0.problems.count < $1.problems.count }
    }
}

extension Result where Failure == RuleProblems {
    fileprivate var problems: [ValidationProblem] {
        if case .failure(let error) = self { error.problems } else { [] }
    }
}

extension ConfigurationContext {
    /// Runs a rule's own check and reports its problems.
    func reporting<Value>(prefix: String = "", _ make: () throws(RuleProblems) -> Value) -> Value? {
        do throws(RuleProblems) {
            return try make()
        } catch {
            for problem in error.problems { report(problem, prefix: prefix) }
            return nil
        }
    }

    /// Runs a rule's own check and reports its problem.
    func reporting<Value>(_ make: () throws(ValidationProblem) -> Value) -> Value? {
        do throws(ValidationProblem) {
            return try make()
        } catch {
            report(error)
            return nil
        }
    }
}

extension CategoryMap {
    fileprivate init(_ root: ConfigurationSection) throws(RuleProblems) {
        let section = root.section("categories")
        if section.keys.isEmpty { root.report("categories", "is missing; map each tag to the newsroom's codes") }
        let rules = section.keys.compactMap { name in section.categoryRule(name) }
        let narrower = root.section("narrower")
        let pairs = narrower.keys.map { ($0, narrower.texts($0) ?? []) }
        let unknown: UnknownPolicy =
            switch root.value("unknown") {
            case "drop": .drop
            case "dead-letter": .deadLetter
            case let category: .category(category)
            }
        try self.init(rules: rules, unknown: unknown, narrower: pairs)
    }
}

extension ConfigurationSection {
    /// A list of codes, `{ all: [...] }`, or `{ each: "geo:*", tag: "geo.{code}" }`.
    fileprivate func categoryRule(_ name: String) -> CategoryRule? {
        guard let node = node(name), case .mapping = node.kind else {
            return CategoryRule(name: name, codes: texts(name) ?? [])
        }
        let rule = section(name)
        if let codes = rule.texts("all") { return CategoryRule(name: name, condition: .all(codes)) }
        guard let family = rule.text("each"), let tag = rule.text("tag") else {
            report(name, "must be a list of codes, { all: [codes] } or { each: \"geo:*\", tag: \"geo.{code}\" }")
            return nil
        }
        return CategoryRule(name: name, condition: .each(family: family, tag: tag))
    }

    /// All keys with their texts, in the order of the file.
    func pairs() -> [(name: String, pattern: String)] {
        keys.compactMap { key in text(key).map { (key, $0) } }
    }
}

extension InterruptionLevels {
    /// Reads `interruption`: a level for each urgency.
    fileprivate init(_ section: ConfigurationSection) {
        self.init()
        for urgency in Self.urgencies {
            if let level = section.choice(ifGiven: String(urgency), of: InterruptionLevel.self) {
                self[urgency] = level
            }
        }
    }
}

extension TextRules {
    /// The patterns for each kind, as written, and those for events whose texts must not be sent.
    fileprivate static func sources(
        _ section: ConfigurationSection
    ) -> ([TextKind: TextRules.Source], secure: TextRules.Source?) {
        func source(_ key: String) -> TextRules.Source? {
            guard let node = section.node(key) else { return nil }
            if case .mapping = node.kind {
                return .byLocale(section.section(key).pairs().map { (locale: $0.name, pattern: $0.pattern) })
            }
            return section.text(key).map(TextRules.Source.all)
        }
        var sources: [TextKind: TextRules.Source] = [:]
        for kind in TextKind.allCases { sources[kind] = source(kind.rawValue) }
        let secure = source(SecureNotice.template)
        return (sources, secure)
    }
}

extension TextLimits {
    /// Reads `limits`: the maximum numbers of characters (graphemes). The maximum numbers of bytes are fixed.
    fileprivate init(_ section: ConfigurationSection) {
        self.init()
        let ellipsis = section.value("ellipsis")
        let length = ellipsis.unicodeScalars.count
        if length > Self.longestEllipsis {
            section.report("ellipsis", "has \(length) characters; write at most \(Self.longestEllipsis)")
        }
        let title = section.integer("headline")
        let body = section.integer("summary")
        headline = TextBudget(characters: title, bytes: headline.bytes, ellipsis: ellipsis)
        summary = TextBudget(characters: body, bytes: summary.bytes, ellipsis: ellipsis)
    }
}
