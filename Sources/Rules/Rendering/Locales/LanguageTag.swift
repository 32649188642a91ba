import NewsflashBasics

/// A BCP 47 language tag in canonical form: `ZH-hant-hk` becomes `zh-Hant-HK`.
///
/// Deprecated languages are replaced (`iw` by `he`, `cmn` by `zh`, `sh` by `sr-Latn`), and an extended language replaces its
/// prefix (`zh-yue` becomes `yue`). Two tags are equal if their canonical forms are.
package struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
    /// Two to eight lower-case letters.
    package let language: String
    /// Four letters, the first one a capital; `nil` if the tag contains none.
    package let script: String?
    /// Two capital letters or three digits; `nil` if the tag contains none.
    package let region: String?
    /// Variants, extensions and private use, in lower case.
    package let rest: [String]
    /// The tag as text.
    package let description: String

    init(language: String, script: String?, region: String?, rest: [String] = []) {
        self.language = language
        self.script = script
        self.region = region
        self.rest = rest
        var text = language
        for subtag in [script, region].compactMap(\.self) + rest { text += "-" + subtag }
        self.description = text
    }

    /// Reads a tag; `nil` if the text does not have the form of one. Whether the language exists is not checked.
    ///
    /// - Parameters:
    ///   - text: The tag as written.
    ///   - allowingUnderscores: Whether `_` is accepted for `-`: in a configuration, never in an event.
    package init?(_ text: String, allowingUnderscores: Bool = false) {
        var subtags = text.split(
            omittingEmptySubsequences: false,
            whereSeparator: { $0 == "-" || (allowingUnderscores && $0 == "_") }
        )[...]
        guard let first = subtags.popFirst(), (2...8).contains(first.utf8.count), first.isLetters,
            subtags.allSatisfy({ (1...8).contains($0.utf8.count) && $0.isLettersAndDigits })
        else { return nil }

        var language = first.lowercased()
        if first.utf8.count <= 3, let extended = subtags.first, extended.utf8.count == 3, extended.isLetters {
            language = extended.lowercased()
            subtags.removeFirst()
        }
        var script: String?
        if let subtag = subtags.first, subtag.utf8.count == 4, subtag.isLetters {
            script = subtag.prefix(1).uppercased() + subtag.dropFirst().lowercased()
            subtags.removeFirst()
        }
        var region: String?
        if let subtag = subtags.first, subtag.isRegion {
            region = subtag.uppercased()
            subtags.removeFirst()
        }
        if let replacement = LocaleData.replacement(forLanguage: language) {
            language = replacement.language
            script = script ?? replacement.script
        }
        self.init(language: language, script: script, region: region, rest: subtags.map { $0.lowercased() })
    }
}

extension Substring {
    fileprivate var isLetters: Bool { utf8.allSatisfy(\.isLetter) }

    fileprivate var isDigits: Bool { utf8.allSatisfy(\.isDigit) }

    fileprivate var isLettersAndDigits: Bool { utf8.allSatisfy(\.isLetterOrDigit) }

    fileprivate var isRegion: Bool {
        (utf8.count == 2 && isLetters) || (utf8.count == 3 && isDigits)
    }
}

/// A language tag with the properties that the fallback needs, computed once.
struct LocaleKey: Sendable, Equatable {
    let tag: LanguageTag
    /// The tag with its script if that is not the usual script of the language, otherwise without it: `zh-TW` becomes
    /// `zh-Hant-TW`, `sr-ME` becomes `sr-Latn-ME`, `en-Latn-GB` becomes `en-GB`.
    let plain: LanguageTag
    /// The language as spoken: Norwegian without further detail is Bokmål.
    let spokenLanguage: String
    /// The script, named or likely; `nil` for a language without data.
    let script: String?
    /// The region, named or likely.
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

    /// Whether subscribers of the wanted language read this one: the same language in the same script, or unspecified
    /// Norwegian for both kinds of Norwegian.
    func isRead(by wanted: LocaleKey) -> Bool {
        script == wanted.script && (isSameLanguage(as: wanted) || tag.language == "no" && wanted.tag.language == "nn")
    }

    func isSameLanguage(as other: LocaleKey) -> Bool { spokenLanguage == other.spokenLanguage }

    /// The region in which the language in this script is spoken most.
    var likelyRegion: String? {
        Self.likelyScriptAndRegion(of: LanguageTag(language: tag.language, script: script, region: nil)).region
    }

    /// The plain form and its ancestors, nearest first.
    ///
    /// CLDR's explicit parent takes precedence. Otherwise the last subtag is cut, with a single letter left at the end. The
    /// list ends before the language or the script would change, even if CLDR continues (`hi-Latn` to `en-IN`).
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

    /// Fills in the subtags that a tag lacks, like CLDR's "add likely subtags".
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
