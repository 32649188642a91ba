/// The grammar of orders in notes to editors.
///
/// A part of a note, from one punctuation mark to the next, is an order if it has an order word and all of its words are words
/// of orders: `Editors: This story has been withdrawn`. One other word makes it news: `Story was withdrawn from competition`.
struct NoteGrammar {
    /// The result of one part.
    private enum Verdict {
        case none
        /// It counts only if the rest of the note has no words of news.
        case weak
        /// It counts only without words of news before it in its sentence: `Water: do not use` is news.
        case prohibition
        case order
    }

    private let parts: [ArraySlice<NoteToken>]
    private let firstWords: Int

    /// - Parameters:
    ///   - tokens: The words of the note with their roles.
    ///   - firstWords: The number of words among which a part has to begin.
    init(_ tokens: [NoteToken], firstWords: Int) {
        var parts: [ArraySlice<NoteToken>] = []
        var start = 0
        for index in tokens.indices.dropFirst() where tokens[index].word.beginsPart {
            parts.append(tokens[start..<index])
            start = index
        }
        if !tokens.isEmpty { parts.append(tokens[start...]) }
        self.parts = parts
        self.firstWords = firstWords
    }

    /// Whether the note orders an act.
    func orders(_ act: EditorialNotes.Act) -> Bool {
        // Whether the sentence and the note have no words of news so far.
        var isSentenceClean = true
        var isNoteClean = true
        for (place, part) in parts.enumerated() {
            guard let first = part.first, first.index < firstWords else { return false }
            if first.word.beginsSentence { isSentenceClean = true }
            switch verdict(on: part, act) {
            case .order: return true
            case .prohibition where isSentenceClean: return true
            case .weak where isNoteClean && hasReasonOrNothing(after: place, act): return true
            case .weak, .prohibition, .none: break
            }
            let isClean = isClean(part)
            isSentenceClean = isSentenceClean && isClean
            isNoteClean = isNoteClean && isClean
        }
        return false
    }

    private func isClean(_ part: ArraySlice<NoteToken>) -> Bool {
        part.contains { $0.role == .reason } || !part.contains { $0.role == .unknown }
    }

    /// Whether what follows a weak word is a reason for the order, or no news.
    private func hasReasonOrNothing(after place: Int, _ act: EditorialNotes.Act) -> Bool {
        let rest = parts[(place + 1)...]
        guard let next = rest.first else { return true }
        if next.contains(where: { $0.role == .reason || act == .correction && $0.role == .detail }) { return true }
        return rest.allSatisfy { !$0.contains { $0.role == .unknown } }
    }

    private func verdict(on part: ArraySlice<NoteToken>, _ act: EditorialNotes.Act) -> Verdict {
        var state = PartState(act)
        for token in part {
            switch state.take(token.role) {
            case .goesOn: continue
            case .isOrder: return .order
            case .isNews: return .none
            }
        }
        if state.isProhibition { return .prohibition }
        switch state.strength {
        case nil: return .none
        case .weak where state.isOfPicture: return .none
        case .weak: return state.hasStory || state.hasUse ? .order : .weak
        case .strong, .agency: return .order
        }
    }
}

/// The words of a part so far.
struct PartState {
    enum Step {
        case goesOn, isOrder, isNews
    }

    private let act: EditorialNotes.Act
    private(set) var strength: NoteOrder.Strength?
    private(set) var isVerb = false
    private(set) var hasStory = false
    private(set) var hasUse = false
    /// Whether its only object is a picture.
    private(set) var isOfPicture = false
    private var hasThis = false
    private var hasNot = false
    private var previous = NoteRole.lead

    init(_ act: EditorialNotes.Act) { self.act = act }

    /// A negation and a word of use in any order: `nicht verwenden`, `사용 금지`.
    var isProhibition: Bool { act == .hold && hasNot && hasUse && !isOfPicture }
    private var isOfThisStory: Bool { hasThis && hasStory }

    /// Takes the next word.
    mutating func take(_ role: NoteRole) -> Step {
        defer { previous = role }
        switch role {
        case .lead, .reason: return .goesOn
        case .this:
            hasThis = true
            return .goesOn
        case .not:
            hasNot = true
            return .goesOn
        case .use:
            hasUse = true
            return act == .correction && strength != nil ? .isNews : .goesOn
        case .picture:
            isOfPicture = !hasStory
            return .goesOn
        case .story:
            hasStory = true
            isOfPicture = false
            return strength != nil && (isVerb || isOfThisStory) ? .isOrder : .goesOn
        case .detail:
            guard act == .correction else { return .isNews }
            hasStory = true
            return strength == nil ? .goesOn : .isOrder
        case .number:
            // `killed 3`
            if case .order = previous { return act == .hold ? .isNews : .goesOn }
            return .goesOn
        case .slug: return strength != nil && (isVerb || hasStory) ? .isOrder : .goesOn
        case .tail:
            return isProhibition || strength != nil && (isVerb || hasStory) ? .isOrder : .isNews
        case .order(let order):
            guard order.act == act else { return .goesOn }
            if hasNot, !hasUse { return .isNews }
            strength = max(strength ?? .weak, order.strength)
            isVerb = isVerb || order.isVerb
            return act == .correction ? (order.isVerb ? .isOrder : .goesOn) : (isOfThisStory ? .isOrder : .goesOn)
        case .unknown: return .isNews
        }
    }
}
