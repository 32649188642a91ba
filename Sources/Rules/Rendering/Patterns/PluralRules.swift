/// The forms that a word takes beside a number, by CLDR's names.
enum PluralCategory: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other
}

/// Which form a language takes beside which whole number.
///
/// Cardinal rules of CLDR for the languages common in news, for numbers without decimals. © Unicode, Inc., under the Unicode
/// License v3 (https://www.unicode.org/license.txt).
struct PluralRules: Sendable, Equatable {
    /// Languages that count alike.
    private enum Family: Sendable {
        case single, one, zeroOne, oneMany, zeroOneMany, eastSlavic, polish, czech, southSlavic, arabic, hebrew,
            romanian
        case lithuanian, latvian, slovenian, maltese, irish, welsh
    }

    private let family: Family

    /// The rules of a language; of one that the data does not know, those of a language without plurals.
    init(_ tag: LanguageTag) {
        family =
            switch tag.language {
            case "en", "de", "nl", "sv", "nb", "nn", "no", "da", "fi", "tr", "ta", "hu", "el", "bg", "ur", "et", "sw",
                "sq":
                .one
            case "hi", "fa", "bn": .zeroOne
            case "es", "it", "ca": .oneMany
            case "pt" where tag.region == "PT": .oneMany
            case "fr", "pt": .zeroOneMany
            case "ru", "uk", "be": .eastSlavic
            case "pl": .polish
            case "cs", "sk": .czech
            case "sr", "hr", "bs": .southSlavic
            case "ar": .arabic
            case "he": .hebrew
            case "ro": .romanian
            case "lt": .lithuanian
            case "lv": .latvian
            case "sl": .slovenian
            case "mt": .maltese
            case "ga": .irish
            case "cy": .welsh
            default: .single
            }
    }

    /// The forms that the language has, those for numbers with decimals too.
    var categories: [PluralCategory] {
        switch family {
        case .single: [.other]
        case .one, .zeroOne: [.one, .other]
        case .oneMany, .zeroOneMany: [.one, .many, .other]
        case .eastSlavic, .polish, .czech, .lithuanian: [.one, .few, .many, .other]
        case .southSlavic, .romanian: [.one, .few, .other]
        case .arabic, .welsh: [.zero, .one, .two, .few, .many, .other]
        case .hebrew: [.one, .two, .other]
        case .latvian: [.zero, .one, .other]
        case .slovenian: [.one, .two, .few, .other]
        case .maltese, .irish: [.one, .two, .few, .many, .other]
        }
    }

    /// The form beside a number.
    ///
    /// - Parameter number: 0 or more.
    /// - Returns: One of ``categories``.
    func category(of number: UInt64) -> PluralCategory {
        let (tens, hundreds) = (number % 10, number % 100)
        let isFew = (2...4).contains(tens) && !(12...14).contains(hundreds)
        let isMillions = number != 0 && number.isMultiple(of: 1_000_000)
        switch family {
        case .single: return .other
        case .one: return number == 1 ? .one : .other
        case .zeroOne: return number <= 1 ? .one : .other
        case .oneMany: return number == 1 ? .one : isMillions ? .many : .other
        case .zeroOneMany: return number <= 1 ? .one : isMillions ? .many : .other
        case .eastSlavic: return tens == 1 && hundreds != 11 ? .one : isFew ? .few : .many
        case .polish: return number == 1 ? .one : isFew ? .few : .many
        case .czech: return number == 1 ? .one : (2...4).contains(number) ? .few : .other
        case .southSlavic: return tens == 1 && hundreds != 11 ? .one : isFew ? .few : .other
        case .arabic: return Self.arabic(number, hundreds)
        case .hebrew: return number == 1 ? .one : number == 2 ? .two : .other
        case .romanian: return number == 1 ? .one : number == 0 || (1...19).contains(hundreds) ? .few : .other
        case .lithuanian:
            if (11...19).contains(hundreds) || tens == 0 { return .other }
            return tens == 1 ? .one : .few
        case .latvian:
            if tens == 0 || (11...19).contains(hundreds) { return .zero }
            return tens == 1 ? .one : .other
        case .slovenian:
            return hundreds == 1 ? .one : hundreds == 2 ? .two : hundreds == 3 || hundreds == 4 ? .few : .other
        case .maltese: return Self.maltese(number, hundreds)
        case .irish:
            return number == 1
                ? .one
                : number == 2 ? .two : (3...6).contains(number) ? .few : (7...10).contains(number) ? .many : .other
        case .welsh:
            let forms: [PluralCategory] = [.zero, .one, .two, .few, .other, .other, .many]
            return number < 7 ? forms[Int(number)] : .other
        }
    }

    private static func arabic(_ number: UInt64, _ hundreds: UInt64) -> PluralCategory {
        switch (number, hundreds) {
        case (0, _): .zero
        case (1, _): .one
        case (2, _): .two
        case (_, 3...10): .few
        case (_, 11...99): .many
        default: .other
        }
    }

    private static func maltese(_ number: UInt64, _ hundreds: UInt64) -> PluralCategory {
        switch (number, hundreds) {
        case (1, _): .one
        case (2, _): .two
        case (0, _), (_, 3...10): .few
        case (_, 11...19): .many
        default: .other
        }
    }
}
