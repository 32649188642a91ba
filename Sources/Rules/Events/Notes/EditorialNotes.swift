/// The phrases in notes to editors, genres and headlines that withdraw or correct an item: `sources.*.notes` of the
/// configuration, in addition to the built-in ones.
///
/// Most feeds state this nowhere else. Words are wrong more often than status fields, so the built-in ones cause a hold or a
/// correction, never a kill.
package struct EditorialNotes: Sendable, Equatable {
    /// The act of a note. If a note has several, the first in this order counts.
    package enum Act: Sendable, CaseIterable {
        case kill, hold
        /// An embargo in words, whose time is not parsed: it holds an item that has no other embargo.
        case embargo
        case correction
    }

    /// An instruction that was found.
    struct Order: Equatable {
        let act: Act
        /// The matching words of the lexicon or of the configuration, in lower case without accents; nothing else of the
        /// note.
        let phrase: String
    }

    /// The maximum number of phrases that a source can add for one act.
    package static let mostPhrases = 100
    private static let firstWords = 8
    private let own: [NotePhrase]
    private let index: NotePhraseIndex

    /// Creates the rules of a source.
    ///
    /// An added phrase counts if it begins within the first eight words. If it ends with a colon, its part of the note, from
    /// one punctuation mark to the next, must contain nothing else. Case and accents are ignored. A phrase in Chinese,
    /// Japanese, Korean or Thai may be the beginning of a longer word.
    ///
    /// - Parameters:
    ///   - hold: Phrases that hold the story, in addition to the built-in words (``NoteGrammar``).
    ///   - kill: Phrases that withdraw the story; none is built in.
    ///   - correction: Phrases that make the item a correction, in addition to the built-in words.
    package init(hold: [String] = [], kill: [String] = [], correction: [String] = []) {
        own = [(kill, Act.kill), (hold, .hold), (correction, .correction)].flatMap { texts, act in
            texts.compactMap { NotePhrase($0, act) }
        }
        index = NotePhraseIndex(own)
    }

    package static func == (left: EditorialNotes, right: EditorialNotes) -> Bool { left.own == right.own }

    /// Whether a text contains words, as a phrase must.
    package static func isPhrase(_ text: String) -> Bool { NotePhrase(text, .hold) != nil }

    /// Returns the instructions in a note to editors, a genre or a signal, the strictest first.
    ///
    /// - Parameters:
    ///   - note: The note in the item; tags are ignored.
    ///   - isGenre: Whether it is a genre. A genre also names the topic of the item, so words that are common in news do not
    ///     count.
    /// - Returns: At most one instruction for each act.
    func orders(in note: String, isGenre: Bool = false) -> [Order] {
        let words = NoteText(note).words
        let tokens = NoteLexicon.standard.tokens(of: words)
        let counts = !isGenre || tokens.contains { $0.role.isStrongOrder }
        let grammar = NoteGrammar(counts ? tokens : [], firstWords: Self.firstWords)
        let added = own.isEmpty ? [:] : addedOrders(words)
        return Act.allCases.compactMap { act in
            (added[act] ?? grammar.phrase(ordering: act)).map { Order(act: act, phrase: $0) }
        }
    }

    /// Returns the instructions in a headline, the strictest first: those of its tags, such as `CORRECTED-` or `(WITHDRAWN)`,
    /// or of a headline without news, such as `STORY WITHDRAWN`.
    ///
    /// - Parameter headline: A headline without HTML.
    /// - Returns: At most one instruction for each act.
    func orders(inHeadline headline: String) -> [Order] {
        let tags = HeadlineTags.tags(of: headline)
        let found = tags.map { tag in
            (tag.orders, tag.canBeAdded && !own.isEmpty ? addedOrders(wholly: NoteText(tag.text).words) : [:])
        }
        let whole = HeadlineTags.orders(ofWhole: headline)
        return Act.allCases.compactMap { act in
            let phrase = found.lazy.compactMap { orders, added in added[act] ?? orders[act] }.first ?? whole[act]
            return phrase.map { Order(act: act, phrase: $0) }
        }
    }

    /// The source's phrases in a note, by act.
    private func addedOrders(_ words: [NoteText.Word]) -> [Act: String] {
        var found: [Act: String] = [:]
        var isStart = false
        for place in words.indices.prefix(Self.firstWords) {
            isStart = isStart && NoteLexicon.standard.isLead(words[place - 1].text) || words[place].beginsPart
            for phrase in index.phrases(beginningLike: words[place].text) where phrase.matches(words, at: place) {
                guard !phrase.isAlone || isStart && isAlone(phrase, words, at: place) else { continue }
                found[phrase.act] = found[phrase.act] ?? phrase.text
            }
        }
        return found
    }

    /// The source's phrases that consist of exactly these words, by act.
    private func addedOrders(wholly words: [NoteText.Word]) -> [Act: String] {
        guard let first = words.first else { return [:] }
        let phrases = index.phrases(beginningLike: first.text)
            .filter { $0.words.count == words.count && $0.matches(words, at: 0, whole: true) }
        return Dictionary(phrases.map { ($0.act, $0.text) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether the rest of the part only repeats the phrase, as in `KILL KILL KILL`, or addresses somebody.
    private func isAlone(_ phrase: NotePhrase, _ words: [NoteText.Word], at place: Int) -> Bool {
        guard phrase.matches(words, at: place, whole: true) else { return false }
        var next = place + phrase.words.count
        while next < words.count, !words[next].beginsPart {
            if phrase.matches(words, at: next, whole: true) {
                next += phrase.words.count
            } else if NoteLexicon.standard.isLead(words[next].text) {
                next += 1
            } else {
                return false
            }
        }
        return true
    }
}

/// A phrase of a source, as words in the form in which notes are compared.
struct NotePhrase: Sendable, Equatable {
    let words: [String]
    let act: EditorialNotes.Act
    /// Whether it counts only if its part of the note contains nothing else except salutations.
    let isAlone: Bool
    /// Whether its script has no blanks between words, so that it may end inside a word.
    let isUnspaced: Bool
    /// Its words joined by blanks.
    var text: String { words.joined(separator: " ") }

    /// Reads a phrase; `nil` if it has no words.
    init?(_ text: String, _ act: EditorialNotes.Act) {
        words = NoteText(text).words.map(\.text)
        guard !words.isEmpty else { return nil }
        self.act = act
        isAlone = text.hasSuffix(":")
        isUnspaced = words.last?.unicodeScalars.contains(where: \.isOfUnspacedScript) ?? false
    }

    /// Whether the words of a note from `place` on are the phrase.
    func matches(_ note: [NoteText.Word], at place: Int, whole: Bool = false) -> Bool {
        guard place + words.count <= note.count else { return false }
        for offset in words.indices {
            let word = note[place + offset]
            // A phrase does not continue after a punctuation mark.
            if offset > 0, word.beginsPart { return false }
            if word.text == words[offset] { continue }
            let goesOn = isUnspaced && offset == words.count - 1 && word.text.hasPrefix(words[offset])
            guard goesOn, !whole else { return false }
        }
        return true
    }
}

/// Phrases by their first words.
struct NotePhraseIndex: Sendable {
    private var byWord: [String: [NotePhrase]] = [:]
    private var unspaced: [NotePhrase] = []

    init(_ phrases: [NotePhrase]) {
        for phrase in phrases {
            if phrase.isUnspaced, phrase.words.count == 1 {
                unspaced.append(phrase)
            } else {
                byWord[phrase.words[0], default: []].append(phrase)
            }
        }
    }

    /// The phrases that may begin with a word.
    func phrases(beginningLike word: String) -> [NotePhrase] {
        let others = unspaced.filter { word.hasPrefix($0.words[0]) }
        return (byWord[word] ?? []) + others
    }
}

/// An instruction in the words of an item, and its place.
struct NotedOrder {
    let act: EditorialNotes.Act
    /// See ``EditorialNotes/Order/phrase``.
    let phrase: String
    /// A JSON Pointer or a name: printable ASCII, at most 64 bytes.
    let place: String

    init(_ order: EditorialNotes.Order, at place: String) {
        act = order.act
        phrase = order.phrase
        self.place = place.printable(limit: 64)
    }

    /// The warning for people: the place, the words of the lexicon and the effect, but nothing else of the item.
    var warning: EventWarning {
        let effect =
            switch act {
            case .kill: "withdraws the story, by notes.kill of the source"
            case .hold: "holds the story"
            case .embargo: "is an embargo whose time is not read; it holds the story"
            case .correction: "makes it a correction"
            }
        return .order(self.act, "\(place): '\(phrase)' \(effect)")
    }
}

extension [NotedOrder] {
    /// The strictest instruction.
    ///
    /// - Parameter hasEmbargo: Whether the item has its own embargo, so that one in words does not count.
    /// - Returns: `nil` if no instruction counts.
    func strictest(hasEmbargo: Bool) -> NotedOrder? {
        for act in EditorialNotes.Act.allCases where act != .embargo || !hasEmbargo {
            if let order = first(where: { $0.act == act }) { return order }
        }
        return nil
    }
}
