/// A language tag with what the fallback asks of it, worked out once.
struct LocaleKey: Sendable, Equatable {
    let tag: LanguageTag
    /// The tag with its script where that is not the one the language is usually written in, and without it where it is:
    /// `zh-TW` is `zh-Hant-TW`, `sr-ME` is `sr-Latn-ME`, `en-Latn-GB` is `en-GB`.
    let plain: LanguageTag
    /// The language as readers see it: Norwegian without more said is Bokmål.
    let spokenLanguage: String
    /// Named or likely; `nil` for a language that the data does not know.
    let script: String?
    /// Named or likely.
    let region: String?
    /// Whether the language is written from right to left.
    let isRightToLeft: Bool

    init(_ tag: LanguageTag) {
        self.tag = tag
        (self.script, self.region) = Self.likelyScriptAndRegion(of: tag)
        self.isRightToLeft = script.map(LocaleData.rightToLeftScripts.contains) ?? false
        self.plain = Self.plainForm(of: tag)
        self.spokenLanguage = tag.language == "no" ? "nb" : tag.language
    }

    /// Whether readers of a language read this one: the same language in the same script, and for both kinds of Norwegian
    /// the one that does not say which it is.
    func isRead(by wanted: LocaleKey) -> Bool {
        script == wanted.script && (isSameLanguage(as: wanted) || tag.language == "no" && wanted.tag.language == "nn")
    }

    func isSameLanguage(as other: LocaleKey) -> Bool { spokenLanguage == other.spokenLanguage }

    /// The region where a language in a script is spoken most.
    var likelyRegion: String? {
        Self.likelyScriptAndRegion(of: LanguageTag(language: tag.language, script: script, region: nil)).region
    }

    /// The plain form and its ancestors, nearest first.
    ///
    /// CLDR's explicit parent comes first, else the last subtag is cut, and with it a single letter left at the end. The
    /// walk ends where the language or the script would change, even where CLDR would go on (`hi-Latn` to `en-IN`).
    var ancestors: [LanguageTag] {
        var ancestors = [plain]
        while let last = ancestors.last, let parent = Self.parent(of: last) {
            let isSameLanguage = parent.language == last.language || parent.language == "no"
            guard isSameLanguage, Self.likelyScriptAndRegion(of: parent).script == script else { break }
            ancestors.append(Self.plainForm(of: parent))
        }
        return ancestors
    }

    private static func parent(of tag: LanguageTag) -> LanguageTag? {
        if let parent = LocaleData.explicitParent(of: tag.description) {
            return parent == "und" ? nil : LanguageTag(parent)
        }
        if !tag.rest.isEmpty {
            var rest = tag.rest.dropLast()
            if rest.last?.utf8.count == 1 { rest.removeLast() }
            return LanguageTag(language: tag.language, script: tag.script, region: tag.region, rest: Array(rest))
        }
        if tag.region != nil { return LanguageTag(language: tag.language, script: tag.script, region: nil) }
        return tag.script == nil ? nil : LanguageTag(language: tag.language, script: nil, region: nil)
    }

    private static func plainForm(of tag: LanguageTag) -> LanguageTag {
        func script(named name: String?, in region: String?) -> String? {
            likelyScriptAndRegion(of: LanguageTag(language: tag.language, script: name, region: region)).script
        }
        let meant = script(named: tag.script, in: tag.region)
        let isUsual = meant == script(named: nil, in: nil) && meant == script(named: nil, in: tag.region)
        return LanguageTag(
            language: tag.language,
            script: isUsual ? nil : meant,
            region: tag.region,
            rest: tag.rest
        )
    }

    /// Fills in what a tag does not name, as CLDR's "add likely subtags" does.
    private static func likelyScriptAndRegion(of tag: LanguageTag) -> (script: String?, region: String?) {
        if let script = tag.script, let region = tag.region { return (script, region) }
        let language = tag.language
        let lookups = [tag.script, tag.region].compactMap(\.self).map { language + "-" + $0 } + [language]
        for lookup in lookups {
            if let likely = LocaleData.likelyScriptAndRegion(of: lookup) {
                return (tag.script ?? likely.script, tag.region ?? likely.region)
            }
        }
        return (tag.script, tag.region)
    }
}
