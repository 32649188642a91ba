/// The words by which notes to editors, genres and headlines withdraw or correct an item: `sources.*.notes` of the
/// configuration, beside those that are built in.
///
/// Most feeds say it nowhere else. Words lie more often than status fields, so the built-in ones raise a hold or a correction,
/// never a kill.
package struct EditorialNotes: Sendable, Equatable {
    /// Act of a note. The first in this order counts if a note has several.
    package enum Act: Sendable, CaseIterable {
        case kill, hold, correction
    }

    /// The most phrases that a source can add for one act.
    package static let mostPhrases = 100
    private static let firstWords = 8
    private static let headlineTags = 3
    private static let standard = NotePhraseIndex(standardPhrases)

    private let own: [NotePhrase]
    private let index: NotePhraseIndex

    /// Makes the rules of a source.
    ///
    /// A phrase counts if it begins within the first eight words. With a colon at its end it counts only if nothing else is
    /// in its part of the note, from one punctuation mark to the next. Case and accents do not count. A phrase in Chinese,
    /// Japanese, Korean or Thai can be the beginning of a longer word.
    ///
    /// - Parameters:
    ///   - hold: Phrases that hold the story, added to the built-in ones.
    ///   - kill: Phrases that withdraw the story; none is built in.
    ///   - correction: Phrases that make the item a correction, added to the built-in ones.
    package init(hold: [String] = [], kill: [String] = [], correction: [String] = []) {
        let own = [(kill, Act.kill), (hold, .hold), (correction, .correction)].flatMap { texts, act in
            texts.compactMap { NotePhrase($0, act, place: .anywhere) }
        }
        self.own = own
        index = own.isEmpty ? Self.standard : NotePhraseIndex(Self.standardPhrases + own)
    }

    package static func == (left: EditorialNotes, right: EditorialNotes) -> Bool { left.own == right.own }

    /// Whether a text has words, so that it can be a phrase.
    package static func isPhrase(_ text: String) -> Bool { NotePhrase(text, .hold, place: .anywhere) != nil }

    /// Returns the act that a note to editors, a genre or a signal orders.
    ///
    /// - Parameter note: As the item has it; tags are left out.
    /// - Returns: The act; `nil` if the note has no phrase.
    func act(of note: String) -> Act? {
        let note = NoteText(note)
        let words = note.words
        var found: Set<Act> = []
        var isStart = false
        for place in words.indices.prefix(Self.firstWords) {
            isStart = isStart && Self.isLeading(words[place - 1].text) || words[place].beginsPart
            for phrase in index.phrases(beginningLike: words[place].text) where phrase.matches(words, at: place) {
                switch phrase.place {
                case .anywhere: found.insert(phrase.act)
                case .start where isStart: found.insert(phrase.act)
                case .alone where isStart && isAlone(phrase, words, at: place): found.insert(phrase.act)
                case .start, .alone: break
                }
            }
        }
        return Act.allCases.first(where: found.contains)
    }

    /// Returns the act that the tags before a headline order, such as `CORRECTED-` or `(WITHDRAWN)`.
    ///
    /// A tag is in capital letters or in brackets, because a headline may begin with the same words as news.
    func act(ofHeadline headline: String) -> Act? {
        var found: Set<Act> = []
        for tag in HeadlineTags.tags(of: headline, most: Self.headlineTags) {
            let words = NoteText(tag).words
            guard let first = words.first else { continue }
            for phrase in index.phrases(beginningLike: first.text)
            where phrase.isHeadlineTag && phrase.words.count == words.count && phrase.matches(words, at: 0, whole: true)
            {
                found.insert(phrase.act)
            }
        }
        return Act.allCases.first(where: found.contains)
    }

    /// Whether the rest of the part only repeats the phrase, or addresses somebody: `KILL KILL KILL`.
    private func isAlone(_ phrase: NotePhrase, _ words: [NoteText.Word], at place: Int) -> Bool {
        guard phrase.matches(words, at: place, whole: true) else { return false }
        var next = place + phrase.words.count
        while next < words.count, !words[next].beginsPart {
            if phrase.matches(words, at: next, whole: true) {
                next += phrase.words.count
            } else if Self.isLeading(words[next].text) {
                next += 1
            } else {
                return false
            }
        }
        return true
    }
}

/// One phrase, in the words by which notes are compared.
struct NotePhrase: Sendable, Equatable {
    enum Place {
        /// At any of the first words.
        case anywhere
        /// At the beginning of a part of the note, salutations left out.
        case start
        /// The same, and nothing else is in the part.
        case alone
    }

    let words: [String]
    let act: EditorialNotes.Act
    let place: Place
    /// Whether it counts as a tag before a headline; words that are news as often are not.
    let isHeadlineTag: Bool
    /// Whether its script has no blanks between words, so that a word may go on after it.
    let isUnspaced: Bool

    /// Reads a phrase; `nil` if it has no words.
    init?(_ text: String, _ act: EditorialNotes.Act, place: Place, isHeadlineTag: Bool = true) {
        words = NoteText(text).words.map(\.text)
        guard !words.isEmpty else { return nil }
        self.act = act
        self.place = text.hasSuffix(":") ? .alone : place
        self.isHeadlineTag = isHeadlineTag
        isUnspaced = words.last?.unicodeScalars.contains(where: \.isOfUnspacedScript) ?? false
    }

    /// Whether the words of a note, from one of them on, are the phrase.
    func matches(_ note: [NoteText.Word], at place: Int, whole: Bool = false) -> Bool {
        guard place + words.count <= note.count else { return false }
        for offset in words.indices {
            let word = note[place + offset]
            // A phrase does not go on after a punctuation mark.
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
