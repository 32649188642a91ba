/// The part that a word of a note can play in an order.
enum NoteRole: Sendable, Equatable {
    /// Salutations, requests, articles, auxiliary verbs, names of agencies: words that are in no news alone.
    case lead
    /// A name for the item, such as *story* or *dispatch*.
    case story
    /// A name for the item that news is about as often, such as *report* or *post*.
    case document
    /// A name for a picture, which is less than the item.
    case picture
    /// *This*: before or after a name for the item.
    case this
    /// A negation, which with ``use`` is a prohibition.
    case not
    case use
    /// Why an item is withdrawn or corrected.
    case reason
    /// An object of corrections: *name*, *headline*, *date*.
    case detail
    /// The beginning of what an order can be followed by: *because*, *before*.
    case tail
    /// The same before an item's name: *slugged*.
    case naming
    /// The same before a time or a condition: *until*, *pending*.
    case pending
    /// A word of a time, such as *Monday* or *GMT*: news, except in an embargo.
    case time
    /// A word for an embargo that is over or does not exist.
    case lifted
    case order(NoteOrder)
    case number
    /// An item's name in capitals with hyphens: `BC-Quake`.
    case slug
    case unknown

    /// Whether it is in no order, except that a time is in an embargo.
    var isOfNews: Bool { self == .unknown || self == .time || self == .lifted }

    /// The order word, if it orders an act.
    func order(of act: EditorialNotes.Act) -> NoteOrder? {
        guard case .order(let order) = self, order.act == act else { return nil }
        return order
    }

    /// Whether it is an order word that news does not have as often.
    var isStrongOrder: Bool {
        guard case .order(let order) = self else { return false }
        return order.strength > .weak
    }
}

/// A word that withdraws, restricts or corrects.
struct NoteOrder: Sendable, Equatable {
    enum Strength: Sendable, Comparable {
        /// It is in news as often: it counts together with a name for the item, or if the note has nothing else.
        case weak
        /// It counts if its part of the note has nothing else.
        case strong
        /// The same, and in capitals before a mark in a headline: `ANNULATION: …`.
        case label
        /// The same, and before a headline without a mark: `WITHDRAWN Quake`.
        case agency
    }

    let act: EditorialNotes.Act
    let strength: Strength
    /// Whether it is a verb with an object, after which anything can follow: `kill`, `corrects`.
    let isVerb: Bool
}

/// A word or phrase of a note with its role.
struct NoteToken {
    let role: NoteRole
    /// The word or phrase in small letters without accents.
    let text: String
    /// The first of its words.
    let word: NoteText.Word
    /// The index of this word.
    let index: Int
}

/// The words of which orders in notes are made, in the languages of agencies.
struct NoteLexicon: Sendable {
    static let standard = NoteLexicon(entries)

    /// Entries of several words, by the first, the longest first.
    private var phrases: [String: [(words: [String], role: NoteRole)]] = [:]
    private var single: [String: NoteRole] = [:]
    /// Entries in scripts without blanks between words.
    private var unspaced: [String: NoteRole] = [:]
    private var longestUnspaced = 1

    /// Reads lists of words with `|` between them. A word in several lists has the role of the last.
    init(_ lists: [(role: NoteRole, words: [String])]) {
        for (role, texts) in lists {
            for entry in texts.lazy.flatMap({ $0.split(separator: "|") }) {
                let words = NoteText(String(entry)).words.map(\.text)
                if words.count > 1 {
                    phrases[words[0], default: []].append((words, role))
                } else if let word = words.first, word.unicodeScalars.contains(where: \.isOfUnspacedScript) {
                    unspaced[word] = role
                    longestUnspaced = max(longestUnspaced, word.unicodeScalars.count)
                } else if let word = words.first {
                    single[word] = role
                }
            }
        }
        for first in phrases.keys {
            phrases[first] = phrases[first]?.reversed().sorted { $0.words.count > $1.words.count }
        }
    }

    /// Whether a word is a salutation, a number or the like.
    func isLead(_ word: String) -> Bool { single[word] == .lead || Self.isNumber(word) }

    /// Reads the words of a note. Takes time that is linear in their length.
    func tokens(of words: [NoteText.Word]) -> [NoteToken] {
        var tokens: [NoteToken] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            if word.text.unicodeScalars.contains(where: \.isOfUnspacedScript) {
                appendParts(of: word, index, to: &tokens)
                index += 1
            } else if let phrase = phrase(in: words, at: index) {
                let text = phrase.words.joined(separator: " ")
                tokens.append(NoteToken(role: phrase.role, text: text, word: word, index: index))
                index += phrase.words.count
            } else {
                let role = role(of: words, at: index, after: tokens.last)
                tokens.append(NoteToken(role: role, text: word.text, word: word, index: index))
                index += 1
            }
        }
        return tokens
    }

    private func phrase(in words: [NoteText.Word], at start: Int) -> (words: [String], role: NoteRole)? {
        phrases[words[start].text]?.first { phrase in
            guard start + phrase.words.count <= words.count else { return false }
            return phrase.words.indices.allSatisfy { offset in
                let word = words[start + offset]
                return word.text == phrase.words[offset] && (offset == 0 || !word.beginsPart)
            }
        }
    }

    private func role(of words: [NoteText.Word], at index: Int, after previous: NoteToken?) -> NoteRole {
        let word = words[index]
        if let role = single[word.text] { return role }
        if Self.isNumber(word.text) { return .number }
        let goesOn = index + 1 < words.count && words[index + 1].isJoined
        if word.isCapital && goesOn || word.isJoined && previous?.role == .slug { return .slug }
        return .unknown
    }

    /// Divides a word of a script without blanks, always taking the longest entry.
    private func appendParts(of word: NoteText.Word, _ index: Int, to tokens: inout [NoteToken]) {
        var rest = word.text.unicodeScalars[...]
        var isFirst = true
        while !rest.isEmpty {
            var role = rest.first?.properties.generalCategory == .decimalNumber ? NoteRole.number : .unknown
            var length = 1
            for count in stride(from: min(longestUnspaced, rest.count), through: 1, by: -1) {
                guard let known = unspaced[String(rest.prefix(count))] else { continue }
                role = known
                length = count
                break
            }
            // The rest of a word of several parts continues the part of the note.
            let part = isFirst ? word : NoteText.Word(text: word.text)
            tokens.append(NoteToken(role: role, text: String(rest.prefix(length)), word: part, index: index))
            rest = rest.dropFirst(length)
            isFirst = false
        }
    }

    /// Whether a word is a number or an item's: `2`, `3rd`, `AAA123`, but not `A8`.
    private static func isNumber(_ word: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return word.utf8.first.map(digits.contains) ?? false
            || word.utf8.count > 3 && word.utf8.contains(where: digits.contains)
    }
}
