/// The role of a word in an instruction.
enum NoteRole: Sendable, Equatable {
    /// Salutations, requests, articles, auxiliary verbs, names of agencies: words that do not make news by themselves.
    case lead
    /// A name for the item, such as *story* or *dispatch*.
    case story
    /// A name for the item that is as common in news, such as *report* or *post*.
    case document
    /// A name for a picture, which is only a part of the item.
    case picture
    /// *This*: before or after a name for the item.
    case this
    /// A negation; together with ``use`` it is a prohibition.
    case not
    case use
    /// A reason to withdraw or correct an item.
    case reason
    /// An object of corrections: *name*, *headline*, *date*.
    case detail
    /// The first word of a continuation after an instruction: *because*, *before*.
    case tail
    /// The first word of a continuation with an item's name: *slugged*.
    case naming
    /// The first word of a continuation with a time or a condition: *until*, *pending*.
    case pending
    /// A word of a time, such as *Monday* or *GMT*: counts as news, except in an embargo.
    case time
    /// A word for an embargo that is over or does not exist.
    case lifted
    case order(NoteOrder)
    case number
    /// An item's name in capitals with hyphens: `BC-Quake`.
    case slug
    case unknown

    /// Whether it does not occur in an instruction, except for a time in an embargo.
    var isOfNews: Bool { self == .unknown || self == .time || self == .lifted }

    /// The order word, if it instructs the act.
    func order(of act: EditorialNotes.Act) -> NoteOrder? {
        guard case .order(let order) = self, order.act == act else { return nil }
        return order
    }

    /// Whether it is an order word that is rare in news.
    var isStrongOrder: Bool {
        guard case .order(let order) = self else { return false }
        return order.strength > .weak
    }
}

/// A word that withdraws, restricts or corrects.
struct NoteOrder: Sendable, Equatable {
    enum Strength: Sendable, Comparable {
        /// As common in news: counts together with a name for the item, or if the note contains nothing else.
        case weak
        /// Counts if its part of the note contains nothing else.
        case strong
        /// Like ``strong``, and also counts in capitals before a mark in a headline: `ANNULATION: …`.
        case label
        /// Like ``label``, and also counts before a headline without a mark: `WITHDRAWN Quake`.
        case agency
    }

    let act: EditorialNotes.Act
    let strength: Strength
    /// Whether it is a verb with an object, so that any words can follow: `kill`, `corrects`.
    let isVerb: Bool
}

/// A word or phrase of a note with its role.
struct NoteToken {
    let role: NoteRole
    /// The word or phrase in lower case without accents.
    let text: String
    /// The first of its words.
    let word: NoteText.Word
    /// The index of this word.
    let index: Int
}

/// The words of instructions in notes, in the languages of agencies.
struct NoteLexicon: Sendable {
    static let standard = NoteLexicon(entries)

    /// Entries of several words by the first word, the longest first.
    private var phrases: [String: [(words: [String], role: NoteRole)]] = [:]
    private var single: [String: NoteRole] = [:]
    /// Entries in scripts without blanks between words.
    private var unspaced: [String: NoteRole] = [:]
    private var longestUnspaced = 1

    /// Reads lists of words separated by `|`. A word in several lists has the role of the last list.
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

    /// Whether a word is a salutation, a number or a similar word without meaning for an instruction.
    func isLead(_ word: String) -> Bool { single[word] == .lead || Self.isNumber(word) }

    /// Assigns roles to the words of a note, in linear time.
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

    /// Splits a word of a script without blanks; at each position the longest entry counts.
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
            // Only the first piece of a word can begin a part of the note.
            let part = isFirst ? word : NoteText.Word(text: word.text)
            tokens.append(NoteToken(role: role, text: String(rest.prefix(length)), word: part, index: index))
            rest = rest.dropFirst(length)
            isFirst = false
        }
    }

    /// Whether a word is a number or an item's number: `2`, `3rd`, `AAA123`, but not `A8`.
    private static func isNumber(_ word: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return word.utf8.first.map(digits.contains) ?? false
            || word.utf8.count > 3 && word.utf8.contains(where: digits.contains)
    }
}
