import NewsEvents
import YAML

extension SourceSettings {
    /// Reads `sources`; without any there is the newsroom's desk.
    ///
    /// - Parameter root: The whole configuration.
    /// - Returns: At least one, each of a topic of its own; their ledgers are not named yet.
    static func all(_ root: ConfigurationSection) -> [SourceSettings] {
        let section = root.section("sources")
        let sources = section.sections().map { SourceSettings(name: $0.name, $0.section) }
        for (index, source) in sources.enumerated() {
            guard let other = sources[..<index].first(where: { $0.topic == source.topic }) else { continue }
            section.section(source.name).report(
                "topic",
                "'\(source.topic)' is the topic of sources.\(other.name) already; a topic has one format"
            )
        }
        return sources.isEmpty ? [.usual] : sources
    }

    /// Warns of sources that may ask for what the configuration cannot do.
    static func warnOfSecureDelivery(_ sources: [SourceSettings], _ root: ConfigurationSection) {
        for source in sources {
            guard case .fields(let mapping) = source.format, mapping.members[.delivery] != nil else { continue }
            let message = "may say secure, and text.secure is missing: such an event would be a dead letter"
            root.section("sources").section(source.name).section("fields").warn("delivery", message)
        }
    }

    private init(name: String, _ section: ConfigurationSection) {
        self.init(
            name: name,
            topic: section.text("topic") ?? Self.usual.topic,
            ledger: Self.usual.ledger,
            id: section.text("id") ?? name
        )
        let word = section.choice("format", of: FormatWord.self) ?? .event
        rules = SourceRules(section)
        let mapping = section.isGiven("fields") ? FieldMapping(section.section("fields")) : nil
        switch word {
        case .event:
            for key in ["revision", "push", "kinds", "html", "url"] where section.isGiven(key) {
                section.report(key, "is for feeds; an event (format 'event') says this itself")
            }
        case .ninjs: format = .ninjs
        case .superdesk: format = .superdesk
        case .ap: format = .ap
        case .fields:
            if let mapping {
                format = .fields(mapping)
            } else if !section.isGiven("fields") {
                section.report("fields", "is missing; map the members of an event, as in 'story: /article/id'")
            }
        }
        if word != .fields, section.isGiven("fields") {
            section.report("fields", "is for format 'fields', and this source's is '\(word.rawValue)'")
        }
        section.reportUnknownKeys()
    }
}

/// `sources.*.format`.
private enum FormatWord: String, CaseIterable {
    case event, ninjs, superdesk, ap, fields
}

extension SourceRules {
    fileprivate init(_ section: ConfigurationSection) {
        self.init()
        revision = section.choice("revision", of: Revision.self) ?? revision
        isHTML = section.boolean("html") ?? isHTML
        if let text = section.text("url") {
            link = LinkRule(text)
            if link == nil {
                section.report(
                    "url",
                    "'\(text)' is no place of a link; write altids.web, extra.web_url, links.canonical, or a pattern such as "
                        + "https://news.example.org/{story}"
                )
            }
        }
        if section.isGiven("kinds") { kinds = Self.kinds(section.section("kinds")) }
        push = PushFilter(section.section("push"))
    }

    private static func kinds(_ section: ConfigurationSection) -> [Int: EventKind] {
        var kinds: [Int: EventKind] = [:]
        for key in section.keys {
            guard let urgency = Int(key), (1...9).contains(urgency) else {
                section.report(key, "is no urgency; write a number from 1 to 9")
                continue
            }
            guard let kind = section.choice(key, of: FirstKind.self) else { continue }
            kinds[urgency] = EventKind(rawValue: kind.rawValue)
        }
        return kinds
    }
}

/// What a story can begin with.
private enum FirstKind: String, CaseIterable {
    case flash, alert, update
}

extension PushFilter {
    fileprivate init(_ section: ConfigurationSection) {
        self.init()
        if let text = section.text("urgency") {
            urgency = Self.range(text)
            if urgency == nil {
                section.report("urgency", "'\(text)' is no range of urgencies; write one such as 1..3")
            }
        }
        if let given = section.texts("type") {
            types = Set(given)
            for type in given where Self.neverPushed.contains(type) {
                section.report("type", "'\(type)' is no news that has happened, and is never pushed")
            }
        }
        section.reportUnknownKeys()
    }

    /// `1..3`, or a single number.
    private static func range(_ text: String) -> ClosedRange<Int>? {
        let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { Int($0) }
        guard let low = ends.first ?? nil, let high = ends.last ?? nil, ends.count <= 2, (1...9).contains(low),
            (low...9).contains(high)
        else { return nil }
        return low...high
    }
}
