import NewsflashEvents
import NewsflashRouting
import NewsflashYAML

extension SourceSettings {
    /// Reads `sources`. Without any, the newsroom's desk is the only source.
    ///
    /// - Returns: At least one source, each with its own topic. Their ledgers do not have their final names yet.
    static func all(_ root: ConfigurationSection) -> [SourceSettings] {
        let section = root.section("sources")
        let given = section.sections().map { SourceSettings(name: $0.name, $0.section) }
        // The default source is read too, so that its variables have an effect.
        let sources = given.isEmpty ? [SourceSettings(name: usual.name, section.section(usual.name))] : given
        for (index, source) in sources.enumerated() {
            if let other = sources[..<index].first(where: { $0.id == source.id }) {
                section.section(source.name).warn(
                    "id",
                    "'\(source.id)' is also the id of sources.\(other.name): pauses, volume limits and outcomes cannot tell the "
                        + "two apart; give each its own id"
                )
            }
            guard let other = sources[..<index].first(where: { $0.topic == source.topic }) else { continue }
            section.section(source.name).report(
                "topic",
                "'\(source.topic)' is already the topic of sources.\(other.name); a topic has one format"
            )
        }
        return sources
    }

    /// Warns about sources that may request secure delivery if the configuration does not support it.
    static func warnOfSecureDelivery(_ sources: [SourceSettings], _ root: ConfigurationSection) {
        for source in sources {
            guard case .fields(let mapping) = source.format, mapping.members[.delivery] != nil else { continue }
            let message = "may be secure, but text.secure is missing: such an event would become a dead letter"
            root.section("sources").section(source.name).section("fields").warn("delivery", message)
        }
    }

    /// Reports sources whose items are only for subscribers of their own language, if a hub's tags do not distinguish
    /// languages.
    static func checkReaders(_ sources: [SourceSettings], _ hubs: [HubSettings], _ root: ConfigurationSection) {
        for source in sources where source.rules.readers == .own {
            for hub in hubs where hub.mode == .live && !hub.audiences.hasLocale {
                root.section("sources").section(source.name).report(
                    "readers",
                    "own needs {locale} in the tags of hubs.\(hub.label): without it a request reaches subscribers of all "
                        + "languages; set send.tags, for example \"{category}.{locale}\""
                )
            }
        }
    }

    private init(name: String, _ section: ConfigurationSection) {
        let topic = section.text("topic")
        self.init(
            name: name,
            topic: section.value("topic"),
            ledger: Self.usual.ledger,
            // `desk` without a topic is the default source.
            id: section.text("id") ?? (topic == nil && name == Self.usual.name ? Self.usual.id : name)
        )
        maximumBytes = section.integer(ifGiven: "maximumBytes")
        let word = section.choice("format", of: FormatWord.self)
        rules = SourceRules(section)
        let keysOfItems = ["schemes", "categories", "headline", "status", "timeZone"]
        let mapping = section.isGiven("fields") ? FieldMapping(section.section("fields")) : nil
        switch word {
        case .event:
            let keys = ["revision", "story", "push", "kinds", "html", "url", "readers", "notes"] + keysOfItems
            for key in keys where section.isGiven(key) {
                section.report(key, "is only for feeds; with format 'event' each event contains this")
            }
        case .ninjs: format = .ninjs
        case .superdesk: format = .superdesk
        case .ap: format = .ap
        case .fields:
            for key in keysOfItems where section.isGiven(key) {
                section.report(
                    key,
                    "is only for ninjs, superdesk and ap; map the members of format 'fields' by its rules"
                )
            }
            if let mapping {
                format = .fields(mapping)
            } else if !section.isGiven("fields") {
                section.report("fields", "is missing; map the members of an event, as in 'story: /article/id'")
            }
        }
        if word == .fields, section.isGiven("story") {
            section.report("story", "is only for ninjs; map the story in fields, as in 'story: /article/id'")
        }
        if word != .fields, section.isGiven("fields") {
            section.report("fields", "is for format 'fields', and this source's is '\(word.rawValue)'")
        }
    }
}

/// `sources.*.format`.
private enum FormatWord: String, CaseIterable {
    case event, ninjs, superdesk, ap, fields
}

extension SourceRules {
    fileprivate init(_ section: ConfigurationSection) {
        self.init()
        revision = section.choice(ifGiven: "revision", of: Revision.self)
        readStory(section)
        for text in section.texts("headline") ?? [] {
            if let pointer = FieldPointer(text), !text.isEmpty {
                headline.append(pointer)
            } else {
                section.report("headline", "'\(text)' is not a JSON Pointer; write one such as /headline_push")
            }
        }
        statuses = Self.statuses(section.section("status"))
        zone = section.timeZone("timeZone")
        isHTML = section.boolean("html")
        if let text = section.text("url") {
            link = LinkRule(text)
            if link == nil {
                section.report(
                    "url",
                    "'\(text)' is not a path of a link; write altids.web, extra.web_url, links.canonical, or a pattern such as "
                        + "https://news.example.org/{story}"
                )
            }
        }
        if section.isGiven("kinds") { kinds = Self.kinds(section.section("kinds")) }
        push = PushFilter(section.section("push"))
        notes = EditorialNotes(section.section("notes"))
        schemes = Self.schemes(section.section("schemes"))
        for category in section.texts("categories") ?? [] {
            if !Self.isCategory(category) {
                section.report("categories", "'\(category)' is not a code; write one such as world or medtop:16000000")
            } else if !categories.contains(category) {
                categories.append(category)
            }
        }
        if categories.count > Self.mostCategories {
            section.report("categories", "has \(categories.count) codes; an event has at most \(Self.mostCategories)")
        }
        readers = section.choice("readers", of: EventReaders.self)
        mode = section.choice("mode", of: Mode.self)
    }

    private mutating func readStory(_ section: ConfigurationSection) {
        for place in section.texts("story") ?? [] {
            if let rule = StoryRule(place) {
                story.append(rule)
            } else {
                section.report(
                    "story",
                    "'\(place)' is not a path of a story; write altids.ROLE, associations.NAME, a JSON Pointer such as "
                        + "/extra/root, or a pattern such as {story}?*"
                )
            }
        }
        // The items of a combined story have separate version numbers.
        if revision == nil, story.contains(where: \.joinsItems) { revision = .versionCreated }
    }

    private static func statuses(_ section: ConfigurationSection) -> [String: Status] {
        var statuses: [String: Status] = [:]
        for word in section.keys {
            if let status = section.choice(ifGiven: word, of: Status.self) { statuses[word.lowercased()] = status }
        }
        return statuses
    }

    private static func schemes(_ section: ConfigurationSection) -> [String: String] {
        var schemes: [String: String] = [:]
        for name in section.keys {
            guard let prefix = section.text(name) else { continue }
            if isCategory(prefix) {
                schemes[name.lowercased()] = prefix
            } else {
                section.report(
                    name,
                    "'\(prefix)' cannot be the prefix of a code; write medtop, subj, or a word of your own"
                )
            }
        }
        return schemes
    }

    private static func kinds(_ section: ConfigurationSection) -> [Int: EventKind] {
        var kinds: [Int: EventKind] = [:]
        for key in section.keys {
            guard let urgency = Int(key), (1...9).contains(urgency) else {
                section.report(key, "is not an urgency; write a number from 1 to 9")
                continue
            }
            guard let kind = section.choice(ifGiven: key, of: FirstKind.self) else { continue }
            kinds[urgency] = EventKind(rawValue: kind.rawValue)
        }
        return kinds
    }
}

/// The kinds that a story can begin with.
private enum FirstKind: String, CaseIterable {
    case flash, alert, update
}

extension EditorialNotes {
    fileprivate init(_ section: ConfigurationSection) {
        func phrases(_ key: String) -> [String] {
            let texts = section.texts(key) ?? []
            for text in texts where !Self.isPhrase(text) { section.report(key, "'\(text)' has no words") }
            if texts.count > Self.mostPhrases {
                section.report(key, "has \(texts.count) phrases; at most \(Self.mostPhrases) can be added")
            }
            return texts
        }
        self.init(hold: phrases("hold"), kill: phrases("kill"), correction: phrases("correction"))
    }
}

extension PushFilter {
    fileprivate init(_ section: ConfigurationSection) {
        self.init()
        if let text = section.text("urgency") {
            urgency = Self.range(text)
            if urgency == nil {
                section.report("urgency", "'\(text)' is not a range of urgencies; write one such as 1..3")
            }
        }
        if let given = section.texts("type") {
            types = Set(given.map { $0.lowercased() })
            for type in types.sorted() where Self.neverPushed.contains(type) {
                section.report("type", "'\(type)' is not news that has happened, and is never pushed")
            }
        }
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
