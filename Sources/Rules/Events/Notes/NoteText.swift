/// The first words of a note to editors, in the form in which phrases are compared: lower case without accents.
struct NoteText {
    struct Word {
        let text: String
        /// Whether a punctuation mark or a line break is before it, or it is the first word of the note.
        var beginsPart = false
        /// Whether the end of a sentence or a line break is before it, or it is the first word of the note.
        var beginsSentence = false
        /// Whether a hyphen or slash without blanks joins it to the word before it.
        var isJoined = false
        var hasSmall = false
        /// Whether its first letter is in lower case.
        var beginsSmall = false
        /// Whether it has capital letters and no lower-case letters.
        var isCapital = false
    }

    /// The maximum number of characters that are read; no phrase is longer.
    private static let mostScalars = 512
    private static let mostWords = 32

    private(set) var words: [Word] = []
    /// Whether the note may have more words than were read.
    private(set) var isCut = false

    /// Reads the first 2,048 bytes of a note, and of these the first 512 characters outside tags.
    init(_ note: String) {
        let scalars = Array(HTMLText.plain(note.beginning(bytes: 2048)).unicodeScalars.prefix(Self.mostScalars))
        var reader = NoteReader()
        for index in scalars.indices {
            let scalar = scalars[index]
            if scalar.isOfWord {
                reader.append(scalar)
                continue
            }
            reader.endWord()
            if reader.words.count == Self.mostWords {
                isCut = true
                break
            }
            let previous = index > 0 ? scalars[index - 1] : " "
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            if scalar.partsNote(after: previous, before: next) {
                reader.next.beginsPart = true
                reader.next.beginsSentence = reader.next.beginsSentence || scalar.endsSentence
            } else if scalar.joins {
                reader.next.isJoined = previous.isOfWord && next.isOfWord
            }
        }
        reader.endWord()
        isCut = isCut || scalars.count == Self.mostScalars
        words = Self.joined(reader.words.prefix(Self.mostWords))
    }

    /// Joins single letters to one word: `K I L L`.
    private static func joined(_ words: ArraySlice<Word>) -> [Word] {
        let isLetter = { (word: Word) in word.text.utf8.count == 1 && word.isCapital }
        guard let first = words.first, words.count > 2, words.allSatisfy(isLetter) else { return Array(words) }
        var word = Word(text: words.map(\.text).joined(), beginsPart: true, beginsSentence: true)
        word.isCapital = first.isCapital
        return [word]
    }
}

/// A reader that makes one pass through a note.
private struct NoteReader {
    private(set) var words: [NoteText.Word] = []
    /// The properties of the next word, from the marks before it.
    var next = Self.first
    private var text = ""
    private var hasCapital = false
    private var hasSmall = false
    private var beginsSmall = false

    private static let first = NoteText.Word(text: "", beginsPart: true, beginsSentence: true)

    mutating func append(_ scalar: Unicode.Scalar) {
        if text.isEmpty { beginsSmall = scalar.properties.isLowercase }
        if scalar.properties.isUppercase { hasCapital = true }
        if scalar.properties.isLowercase { hasSmall = true }
        Self.append(scalar, to: &text)
    }

    /// Adds the current word if it is not empty.
    mutating func endWord() {
        guard !text.isEmpty else { return }
        let word = NoteText.Word(
            text: text,
            beginsPart: next.beginsPart,
            beginsSentence: next.beginsSentence,
            isJoined: next.isJoined,
            hasSmall: hasSmall,
            beginsSmall: beginsSmall,
            isCapital: hasCapital && !hasSmall
        )
        words.append(word)
        next = NoteText.Word(text: "")
        (text, hasCapital, hasSmall) = ("", false, false)
    }

    /// Appends a character in lower case without its accents.
    private static func append(_ scalar: Unicode.Scalar, to word: inout String) {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            if let base = bases[lower] {
                word += base
            } else if !lower.isAccent {
                word.unicodeScalars.append(lower)
            }
        }
    }

    /// The base letters of letters with accents. The standard library has no public table of them.
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
            // Arabic and Persian. Final letters of Hebrew are not changed.
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
    /// Returns the text cut to at most a number of bytes, at the border of a character. If the first character alone is longer,
    /// for example a letter with thousands of accents, it is cut at the border of a Unicode scalar.
    func beginning(bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(startIndex, offsetBy: bytes)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        guard end > startIndex else { return "" }
        // The last character may continue after the end. An index made by the substring has the length of the character there,
        // so another one is made from its offset.
        let beginning = self[..<end]
        let start = beginning.index(before: end)
        let last = utf8.index(startIndex, offsetBy: utf8.distance(from: startIndex, to: start))
        return String(self[..<(last > startIndex && index(after: last) > end ? last : end)])
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

    /// Whether it only changes or stretches the letter before it, and is therefore dropped: accents, vowel points, joiners.
    fileprivate var isAccent: Bool {
        switch value {
        case 0x300...0x36F, 0x591...0x5C7, 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x93C, 0x200C, 0x200D: true
        default: false
        }
    }

    /// Whether its script writes words, or their endings, without blanks between them.
    var isOfUnspacedScript: Bool {
        switch value {
        case 0xE00...0xE7F, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF: true
        default: false
        }
    }

    fileprivate var joins: Bool { ["-", "\u{2010}", "\u{2011}", "/"].contains(self) }
    fileprivate var endsSentence: Bool {
        [".", "!", "?", "\u{3002}", "\u{FF01}", "\n", "\r", "\u{2028}", "\u{2029}"].contains(self)
    }

    /// Whether a character outside words ends a part of a note: a punctuation mark or a line break.
    fileprivate func partsNote(after previous: Unicode.Scalar, before next: Unicode.Scalar) -> Bool {
        switch self {
        case "'", "\u{2019}", "\u{B7}", "_", "*", "&", "#": false
        // A quotation belongs to its sentence.
        case "\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}": false
        // Within a word such as re-file.
        case "-", "\u{2010}", "\u{2011}", "/": !(previous.isOfWord && next.isOfWord)
        case "\n", "\r", "\u{2028}", "\u{2029}": true
        default: !properties.isWhitespace
        }
    }
}
