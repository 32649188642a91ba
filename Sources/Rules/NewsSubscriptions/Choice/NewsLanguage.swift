import NewsflashBasics

/// A language in which a subscriber wants the news.
///
/// A sender has a separate property for each text. The tutorial names it by the English word for the language,
/// `News_Portuguese`, newsflash by the locale, `headline_pt_BR`. A language therefore has both.
///
/// ```swift
/// let brazilian = try NewsLanguage(locale: "pt-BR")
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

    /// Creates a language.
    ///
    /// ```swift
    /// let czech = try NewsLanguage(locale: "cs")
    /// let swissGerman = try NewsLanguage(locale: "de-CH", name: "SwissGerman")
    /// ```
    ///
    /// - Parameters:
    ///   - locale: Letters and digits in groups of at most eight, separated by `-`.
    ///   - name: Letters, digits and `_`, as the sender spells it. By default it is the English word for the language,
    ///     `Portuguese` for `pt-BR`; for a language without a word here it is the locale, `sw_KE` for `sw-KE`.
    /// - Throws: ``SubscriptionError`` for a text that cannot be part of a property's name.
    public init(locale: String, name: String? = nil) throws(SubscriptionError) {
        let groups = locale.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isLetterOrDigit) }),
            groups.count <= 8
        else {
            throw SubscriptionError(.invalidValue, "this is not a language tag: write one such as en or pt-BR")
        }
        let name = name ?? Self.words[locale.prefix { $0 != "-" }.lowercased()] ?? locale.replacing("-", with: "_")
        guard (1...64).contains(name.utf8.count),
            name.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") })
        else {
            throw SubscriptionError(.invalidValue, "a language's name must have 1 to 64 letters, digits and _")
        }
        self.init(known: locale, name)
    }

    /// The language that a subscriber gets from a newsroom that offers these: the same one; otherwise the wider one, `pt` for
    /// `pt-BR`; otherwise the one of the same language with most in common, `zh-TW` for `zh-Hant-TW`, `pt-BR` for `pt`.
    ///
    /// ```swift
    /// let offered = try [NewsLanguage.english, NewsLanguage(locale: "pt-BR")]
    /// NewsLanguage.portuguese.nearest(in: offered)?.locale      // "pt-BR"
    /// NewsLanguage.german.nearest(in: offered)                  // nil
    /// ```
    ///
    /// - Parameter offered: The offered languages, in order of preference.
    /// - Returns: `nil` if the newsroom offers nothing similar: then the single text for everyone is shown.
    public func nearest(in offered: [NewsLanguage]) -> NewsLanguage? {
        let wanted = groups
        for count in stride(from: wanted.count, to: 0, by: -1) {
            if let found = offered.first(where: { $0.groups == Array(wanted.prefix(count)) }) { return found }
        }
        var nearest: (language: NewsLanguage, inCommon: Int)?
        for language in offered where language.groups.first == wanted.first {
            let inCommon = language.groups.count { wanted.contains($0) }
            // Of several with equally much in common, the first counts.
            if inCommon > nearest?.inCommon ?? 0 { nearest = (language, inCommon) }
        }
        return nearest?.language
    }

    /// The groups of the locale in lower case: `["pt", "br"]`.
    private var groups: [Substring] { locale.lowercased().split(separator: "-") }

    /// English words of languages, by their tags.
    private static let words = [
        "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German",
        "el": "Greek",
        "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French",
        "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian",
        "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nb": "Norwegian", "nl": "Dutch",
        "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
        "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian",
        "vi": "Vietnamese", "zh": "Mandarin",
    ]

    private init(known locale: String, _ name: String) {
        self.locale = locale
        self.name = name
    }

    /// The locale as written in the names of newsflash's properties: `pt_BR`.
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
