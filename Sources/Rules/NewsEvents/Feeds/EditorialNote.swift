/// What the first words of a note to editors say of an item; the only place where most feeds have it.
///
/// Words lie more often than status fields, so a note alone withdraws nothing: it raises a correction, or a hold.
enum EditorialNote {
    case correction
    case withdrawal

    /// In English, French, German, Spanish, Portuguese, Czech, Russian, Chinese and Arabic; beginnings of words.
    private static let corrections = [
        "correct", "refile", "rectificat", "berichtigung", "korrektur", "corrige", "correcci\u{F3}n",
        "corre\u{E7}\u{E3}o",
        "oprava", "исправлен", "уточнен", "更正", "تصحيح",
    ]
    private static let withdrawals = [
        "withdraw", "annul", "zur\u{FC}ckgezogen", "stornierung", "retirad", "anulad", "sta\u{17E}en", "отозван",
        "аннулир",
        "撤稿", "إلغاء", "سحب",
    ]
    /// Whole words: `killed` may be news.
    private static let kill = "kill"
    private static let salutations = ["eds:", "editors:"]
    /// The longest word is far shorter.
    private static let longest = 64

    init?(_ note: String) {
        var text = note.unicodeScalars.drop { !$0.properties.isAlphabetic }.prefix(Self.longest).lowercased()
        for salutation in Self.salutations where text.hasPrefix(salutation) {
            text = String(text.unicodeScalars.dropFirst(salutation.count).drop { !$0.properties.isAlphabetic })
        }
        let first = text.unicodeScalars.prefix { $0.properties.isAlphabetic }
        if String(first) == Self.kill || Self.withdrawals.contains(where: text.hasPrefix) {
            self = .withdrawal
        } else if Self.corrections.contains(where: text.hasPrefix) {
            self = .correction
        } else {
            return nil
        }
    }
}

extension Substring.UnicodeScalarView {
    fileprivate func lowercased() -> String { String(self).lowercased() }
}
