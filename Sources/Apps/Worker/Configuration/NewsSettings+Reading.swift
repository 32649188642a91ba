import NewsEvents
import NotificationHubs
import Rendering
import Routing
import YAML

extension NewsSettings {
    /// Reads languages, texts, categories and what a send carries.
    init?(_ root: ConfigurationSection) {
        let localeSection = root.section("locales")
        let offered = localeSection.texts("offered") ?? []
        let standard = localeSection.text("default") ?? offered.first ?? ""
        if offered.isEmpty { localeSection.report("offered", "is missing; list the languages, such as [en, fr]") }
        localeSection.reportUnknownKeys()
        let locales =
            offered.isEmpty
            ? nil
            : root.context.reporting { () throws(RuleProblems) in
                try OfferedLocales(offered: offered, default: standard)
            }

        let send = root.section("send")
        let form = send.text("as") ?? "template"
        if form != "template" { send.report("as", "'\(form)' is not supported yet; 'template' is") }
        let pattern = root.context.reporting { () throws(RuleProblem) in
            try TagPattern(send.text("tags") ?? "{category}")
        }
        let maximumTags = send.integer("maximumTags", in: 1...TagExpression.maximumTagsWithOrOnly)
        let properties = send.section("properties").pairs()
        send.reportUnknownKeys()

        let categories = root.context.reporting { () throws(RuleProblems) in try CategoryMap(root) }
        let text = TextRules.sources(root.section("text"))
        let limits = TextLimits(root.section("limits"))

        guard let locales, let pattern, let categories else { return nil }
        let audiences = root.context.reporting { () throws(RuleProblem) in
            try AudiencePlanner(pattern: pattern, maximumTags: maximumTags ?? TagExpression.maximumTagsWithOrOnly)
        }
        let rules = root.context.reporting { () throws(RuleProblems) in try TextRules(text, locales: locales) }
        let template = root.context.reporting(prefix: "send.") { () throws(RuleProblems) in
            try TemplateProperties(locales: locales, properties: properties)
        }
        guard let audiences, let rules, let template else { return nil }
        for problem in audiences.problems(categories: categories.categories, locales: locales.offered) {
            root.context.report(problem)
        }
        for warning in categories.warnings + rules.warnings { root.context.warn(warning) }
        self.init(
            locales: locales,
            text: rules,
            categories: categories,
            audiences: audiences,
            properties: template,
            limits: limits
        )
    }
}

extension ConfigurationContext {
    /// Runs a rule's own check, and takes its problems over.
    fileprivate func reporting<Value>(prefix: String = "", _ make: () throws(RuleProblems) -> Value) -> Value? {
        do throws(RuleProblems) {
            return try make()
        } catch {
            for problem in error.problems { report(problem, prefix: prefix) }
            return nil
        }
    }

    /// Runs a rule's own check, and takes its problem over.
    fileprivate func reporting<Value>(_ make: () throws(RuleProblem) -> Value) -> Value? {
        do throws(RuleProblem) {
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
        if section.keys.isEmpty { root.report("categories", "is missing; map each tag to the codes of the desk") }
        let rules = section.keys.compactMap { name in section.categoryRule(name) }
        let narrower = root.section("narrower")
        let pairs = narrower.keys.map { ($0, narrower.texts($0) ?? []) }
        let unknown: UnknownPolicy =
            switch root.text("unknown") {
            case nil, "drop": .drop
            case "dead-letter": .deadLetter
            case .some(let category): .category(category)
            }
        try self.init(rules: rules, unknown: unknown, narrower: pairs)
    }
}

extension ConfigurationSection {
    /// A list of codes, `{ all: [...] }`, or `{ each: "geo:*", tag: "geo.{code}" }`.
    fileprivate func categoryRule(_ name: String) -> CategoryRule? {
        guard let node = node(name), case .mapping = node.kind else {
            return texts(name).map { CategoryRule(name: name, codes: $0) }
        }
        let rule = section(name)
        defer { rule.reportUnknownKeys() }
        if let codes = rule.texts("all") { return CategoryRule(name: name, condition: .all(codes)) }
        guard let family = rule.text("each"), let tag = rule.text("tag") else {
            report(name, "must be a list of codes, { all: [codes] } or { each: \"geo:*\", tag: \"geo.{code}\" }")
            return nil
        }
        return CategoryRule(name: name, condition: .each(family: family, tag: tag))
    }

    /// All keys with their texts, in the order of the file.
    fileprivate func pairs() -> [(name: String, pattern: String)] {
        keys.compactMap { key in text(key).map { (key, $0) } }
    }
}

extension TextRules {
    /// The patterns for each kind, as written.
    fileprivate static func sources(_ section: ConfigurationSection) -> [TextKind: TextRules.Source] {
        var sources: [TextKind: TextRules.Source] = [:]
        for kind in TextKind.allCases {
            guard let node = section.node(kind.rawValue) else { continue }
            if case .mapping = node.kind {
                let byLocale = section.section(kind.rawValue).pairs().map { (locale: $0.name, pattern: $0.pattern) }
                sources[kind] = .byLocale(byLocale)
            } else if let pattern = section.text(kind.rawValue) {
                sources[kind] = .all(pattern)
            }
        }
        section.reportUnknownKeys()
        return sources
    }
}

extension TextLimits {
    /// Graphemes shown at most; byte budgets stay those of the platforms.
    fileprivate init(_ section: ConfigurationSection) {
        self.init()
        let ellipsis = section.text("ellipsis") ?? "…"
        let title = section.integer("headline", in: 10...1000)
        let body = section.integer("summary", in: 10...4000)
        headline = TextBudget(characters: title ?? headline.characters, bytes: headline.bytes, ellipsis: ellipsis)
        summary = TextBudget(characters: body ?? summary.characters, bytes: summary.bytes, ellipsis: ellipsis)
        section.reportUnknownKeys()
    }
}
