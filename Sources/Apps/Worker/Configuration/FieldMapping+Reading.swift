import NewsflashEvents
import NewsflashYAML

extension FieldMapping {
    /// Reads `sources.*.fields`; `nil` if the texts are missing, which is reported.
    init?(_ section: ConfigurationSection) {
        var members: [Member: [FieldRule]] = [:]
        for member in Member.allCases {
            guard let rules = section.fieldRules(member.rawValue, isTime: member.isTime) else { continue }
            members[member] = rules
        }
        for member in [Member.story, .revision, .published] where !section.isGiven(member.rawValue) {
            section.warn(member.rawValue, "is not mapped: only records wrapped in a CloudEvent can have it")
        }
        let texts = Texts(section.section("text"))
        if section.node("text") == nil {
            section.report("text", "is missing; write the place of the texts, as in 'text: { headline: /title }'")
        }
        guard let texts else { return nil }
        self.init(members: members, texts: texts)
    }
}

extension FieldMapping.Member {
    /// Whether a value may be a time. A revision may be the time of the latest change.
    fileprivate var isTime: Bool {
        switch self {
        case .published, .embargo, .expires, .revision: true
        default: false
        }
    }
}

extension FieldMapping.Texts {
    /// `{ headline, summary }`, or one such pair for each language.
    fileprivate init?(_ section: ConfigurationSection) {
        guard !section.keys.isEmpty else { return nil }
        if section.keys.contains("headline") {
            guard let text = FieldMapping.Text(section) else { return nil }
            self = .one(text)
            return
        }
        let texts = section.sections().compactMap { language, words -> FieldMapping.LanguageText? in
            if !FieldMapping.isLanguageTag(language) {
                section.report(language, "is neither 'headline' nor a language tag such as en or pt-BR")
            }
            return FieldMapping.Text(words).map { FieldMapping.LanguageText(language: language, text: $0) }
        }
        self = .byLanguage(texts)
    }
}

extension FieldMapping.Text {
    fileprivate init?(_ section: ConfigurationSection) {
        let headline = section.fieldRules("headline")
        let summary = section.fieldRules("summary")
        if headline == nil { section.report("headline", "is missing; write its place, as in 'headline: /title'") }
        guard let headline else { return nil }
        self.init(headline: headline, summary: summary ?? [])
    }
}

extension ConfigurationSection {
    /// A pointer, a rule `{ pointer, map, default, prefix, time }`, or a list of these; `nil` if the key is absent.
    fileprivate func fieldRules(_ key: String, isTime: Bool = false) -> [FieldRule]? {
        guard isGiven(key) else { return nil }
        switch node(key)?.kind {
        case .mapping:
            return [section(key).fieldRule(isTime: isTime)]
        case .sequence(let items):
            return items.enumerated().map { index, item in
                let place = "\(key)[\(index)]"
                guard let text = item.scalarText else {
                    return ConfigurationSection(item, path: path + [place], context: context).fieldRule(isTime: isTime)
                }
                context.digest.add(path + [place], [text])
                return FieldRule(pointer(text, at: key))
            }
        case .scalar, nil:
            return text(key).map { [FieldRule(pointer($0, at: key))] }
        }
    }

    private func fieldRule(isTime: Bool) -> FieldRule {
        let place = text("pointer")
        let map = section("map")
        var rule = FieldRule(place.flatMap { pointer($0, at: "pointer") }, default: text("default"))
        rule.prefix = text("prefix") ?? ""
        rule.map = Dictionary(map.keys.compactMap { word in map.text(word).map { (word, $0) } }) { first, _ in first }
        if isGiven("time") {
            rule.time = time()
            if !isTime { report("time", "is only for published, embargo, expires and revision") }
        }
        if place == nil, rule.standard == nil {
            report("pointer", "is missing; write a JSON Pointer such as /article/id, or a default for all")
        }
        return rule
    }

    private func time() -> FieldRule.Time? {
        guard let word = text("time") else { return nil }
        let time = FieldRule.Time(rawValue: word)
        if time == nil {
            let words = FieldRule.Time.allCases.map(\.rawValue).joined(separator: ", ")
            report("time", "'\(word)' is not one of: \(words)")
        }
        return time
    }

    private func pointer(_ text: String, at key: String) -> FieldPointer? {
        if let pointer = FieldPointer(text) { return pointer }
        report(
            key,
            "'\(text)' is not a JSON Pointer; write one such as /article/id, or /tags/*/code for each item of a list"
        )
        return nil
    }
}
