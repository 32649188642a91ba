import ASCII

/// A BCP 47 language tag in canonical form: `zh-Hant-HK`, whoever wrote `ZH-hant-hk`.
///
/// Deprecated languages are replaced (`iw` is `he`, `cmn` is `zh`, `sh` is `sr-Latn`), an extended language stands for
/// itself (`zh-yue` is `yue`). Two tags are equal when their canonical forms are.
package struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
    /// Two to eight small letters.
    package let language: String
    /// Four letters, the first one large; only where the tag names it.
    package let script: String?
    /// Two large letters or three digits; only where the tag names it.
    package let region: String?
    /// Variants, extensions and private use, in small letters.
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

    /// Reads a tag; `nil` where the text is not formed like one. That the language exists is not checked.
    ///
    /// - Parameters:
    ///   - text: The tag as written.
    ///   - allowingUnderscores: Whether `_` may stand for `-`: for what people write in a configuration, never for what
    ///     an event brings.
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
