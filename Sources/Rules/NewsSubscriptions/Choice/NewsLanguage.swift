import ASCII

/// A language that a reader wants the news in.
///
/// A sender gives each text a property of its own: the tutorial names it by the language's word, `News_Portuguese`,
/// newsflash by its locale, `headline_pt_BR`. So a language has both.
///
/// ```swift
/// let brazilian = try NewsLanguage(locale: "pt-BR", name: "Portuguese")
/// ```
public struct NewsLanguage: Hashable, Sendable, CustomStringConvertible {
    /// The language tag (BCP 47), such as `pt-BR`.
    ///
    /// ```swift
    /// NewsLanguage.french.locale      // "fr"
    /// ```
    public let locale: String
    /// The word for it in the tutorial's properties, such as `Portuguese`.
    ///
    /// ```swift
    /// NewsLanguage.french.name        // "French"
    /// ```
    public let name: String

    /// Names a language.
    ///
    /// ```swift
    /// let czech = try NewsLanguage(locale: "cs", name: "Czech")
    /// ```
    ///
    /// - Parameters:
    ///   - locale: Letters and digits in groups of at most eight, with `-` between them.
    ///   - name: Letters, digits and `_`; as the sender spells it.
    /// - Throws: ``SubscriptionError`` for what cannot be part of a property's name.
    public init(locale: String, name: String) throws(SubscriptionError) {
        let groups = locale.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isLetterOrDigit) }),
            groups.count <= 8
        else {
            throw SubscriptionError(.invalidValue, "this is no language tag: write one such as en or pt-BR")
        }
        guard (1...64).contains(name.utf8.count),
            name.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") })
        else {
            throw SubscriptionError(.invalidValue, "a language's name has 1 to 64 letters, digits and _, as in English")
        }
        self.init(known: locale, name)
    }

    private init(known locale: String, _ name: String) {
        self.locale = locale
        self.name = name
    }

    /// The locale as it stands in the names of newsflash's properties: `pt_BR`.
    var propertySuffix: String { locale.replacing("-", with: "_") }

    /// The locale.
    public var description: String { locale }
}

extension NewsLanguage {
    /// English: `$(News_English)`, `$(headline_en)`.
    public static let english = NewsLanguage(known: "en", "English")
    /// French: `$(News_French)`, `$(headline_fr)`.
    public static let french = NewsLanguage(known: "fr", "French")
    /// German: `$(News_German)`, `$(headline_de)`.
    public static let german = NewsLanguage(known: "de", "German")
    /// Spanish: `$(News_Spanish)`, `$(headline_es)`.
    public static let spanish = NewsLanguage(known: "es", "Spanish")
    /// Portuguese: `$(News_Portuguese)`, `$(headline_pt)`.
    public static let portuguese = NewsLanguage(known: "pt", "Portuguese")
    /// Chinese as the tutorial names it: `$(News_Mandarin)`, `$(headline_zh)`.
    public static let mandarin = NewsLanguage(known: "zh", "Mandarin")
}
