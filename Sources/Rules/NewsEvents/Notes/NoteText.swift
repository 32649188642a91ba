/// The first words of a note to editors, in the form in which phrases are compared: small letters without accents.
struct NoteText {
    struct Word {
        let text: String
        /// Whether a punctuation mark, a line break or the beginning of the note is before it.
        let beginsPart: Bool
    }

    /// No phrase is longer.
    private static let mostScalars = 512
    private static let mostWords = 32

    private(set) var words: [Word] = []

    /// Reads a note. Takes time for its first 512 characters alone, and for tags in its first 2,048 bytes.
    init(_ note: String) {
        let scalars = Array(HTMLText.plain(note.beginning(bytes: 2048)).unicodeScalars.prefix(Self.mostScalars))
        var word = ""
        var beginsPart = true
        for index in scalars.indices {
            let scalar = scalars[index]
            if scalar.isOfWord {
                Self.append(scalar, to: &word)
                continue
            }
            if !word.isEmpty {
                words.append(Word(text: word, beginsPart: beginsPart))
                if words.count == Self.mostWords { return }
                word = ""
                beginsPart = false
            }
            let previous = index > 0 ? scalars[index - 1] : " "
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            if scalar.partsNote(after: previous, before: next) { beginsPart = true }
        }
        if !word.isEmpty { words.append(Word(text: word, beginsPart: beginsPart)) }
    }

    /// Adds a character in small letters, without its accents.
    private static func append(_ scalar: Unicode.Scalar, to word: inout String) {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            if let base = bases[lower] {
                word += base
            } else if !lower.isAccent {
                word.unicodeScalars.append(lower)
            }
        }
    }

    /// The letters that letters with accents are compared as, because the standard library has no public table of them.
    private static let bases: [Unicode.Scalar: String] = {
        let table: [(String, String)] = [
            ("a", "àáâãäåāăą"), ("c", "çćĉċč"), ("d", "ďđð"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"), ("h", "ĥħ"),
            ("i", "ìíîïĩīĭįı"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľŀł"), ("n", "ñńņňŉ"), ("o", "òóôõöøōŏőơ"),
            ("r", "ŕŗř"), ("s", "śŝşšș"), ("t", "ţťŧț"), ("u", "ùúûüũūŭůűųư"), ("w", "ŵ"), ("y", "ýÿŷ"), ("z", "źżž"),
            ("ae", "æ"), ("oe", "œ"), ("ss", "ß"), ("th", "þ"),
            // Vietnamese.
            ("a", "ạảấầẩẫậắằẳẵặ"), ("e", "ẹẻẽếềểễệ"), ("i", "ỉị"), ("o", "ọỏốồổỗộớờởỡợ"), ("u", "ụủứừửữự"),
            ("y", "ỳỵỷỹ"),
            // Greek, Cyrillic.
            ("α", "ά"), ("ε", "έ"), ("η", "ή"), ("ι", "ίϊΐ"), ("ο", "ό"), ("υ", "ύϋΰ"), ("ω", "ώ"), ("σ", "ς"),
            ("е", "ё"), ("и", "й"), ("і", "ї"),
            // Arabic, Persian, Hebrew finals stay apart.
            ("ا", "أإآٱ"), ("ي", "ىیئ"), ("ك", "ک"), ("ه", "ة"),
        ]
        var bases: [Unicode.Scalar: String] = [:]
        for (base, letters) in table {
            for letter in letters.unicodeScalars { bases[letter] = base }
        }
        return bases
    }()
}

extension String {
    /// The first bytes, up to the last whole character.
    fileprivate func beginning(bytes: Int) -> String {
        utf8.count <= bytes ? self : String(decoding: utf8.prefix(bytes), as: UTF8.self)
    }
}

extension Unicode.Scalar {
    /// Whether it is part of a word: a letter, a digit, or a mark on one of them.
    fileprivate var isOfWord: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .otherLetter, .lowercaseLetter,
            .uppercaseLetter, .titlecaseLetter, .modifierLetter:
            true
        default:
            self == "\u{200C}" || self == "\u{200D}"
        }
    }

    /// Whether it only changes or stretches a letter before it, and is left out: accents, vowel points, joiners.
    fileprivate var isAccent: Bool {
        switch value {
        case 0x300...0x36F, 0x591...0x5C7, 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x93C, 0x200C, 0x200D: true
        default: false
        }
    }

    /// Whether the scripts' words have no blanks between them, or endings without one.
    var isOfUnspacedScript: Bool {
        switch value {
        case 0xE00...0xE7F, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF: true
        default: false
        }
    }

    /// Whether a character that is in no word ends a part of a note: a punctuation mark or a line break.
    fileprivate func partsNote(after previous: Unicode.Scalar, before next: Unicode.Scalar) -> Bool {
        switch self {
        case "'", "\u{2019}", "\u{B7}", "_", "*", "&", "#": false
        // Within a word such as re-file.
        case "-", "\u{2010}", "\u{2011}", "/": !(previous.isOfWord && next.isOfWord)
        case "\n", "\r", "\u{2028}", "\u{2029}": true
        default: !properties.isWhitespace
        }
    }
}

/// The tags that agencies put before a headline: `CORRECTED-UPDATE 2-…`, `(WITHDRAWN) …`, `REFILE: …`.
enum HeadlineTags {
    private static let longest = 64
    private static let ends: Set<Unicode.Scalar> = [
        "-", ":", "\u{2010}", "\u{2011}", "\u{2013}", "\u{2014}", "\u{FF1A}", "|",
    ]
    private static let brackets: [Unicode.Scalar: Unicode.Scalar] = [
        "(": ")", "[": "]", "【": "】", "（": "）", "*": "*",
    ]

    /// The tags in front, each without what parts it from the next.
    ///
    /// - Parameters:
    ///   - headline: Without HTML.
    ///   - most: How many are looked at.
    /// - Returns: The tags in order.
    static func tags(of headline: String, most: Int) -> [String] {
        var rest = headline.unicodeScalars[...]
        var tags: [String] = []
        while tags.count < most {
            rest = rest.drop { $0.properties.isWhitespace || ends.contains($0) }
            let window = rest.prefix(longest)
            if let first = window.first, let closing = brackets[first] {
                let inside = window.dropFirst()
                guard let end = inside.firstIndex(of: closing) else { return tags }
                tags.append(String(inside[..<end]))
                rest = rest[end...].dropFirst()
            } else {
                guard let end = window.firstIndex(where: ends.contains), window[..<end].allSatisfy({ !$0.isSmall })
                else { return tags }
                tags.append(String(window[..<end]))
                rest = rest[end...].dropFirst()
            }
        }
        return tags
    }
}

extension Unicode.Scalar {
    fileprivate var isSmall: Bool { properties.isLowercase }
}
