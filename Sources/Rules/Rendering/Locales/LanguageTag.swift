import ASCII

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
