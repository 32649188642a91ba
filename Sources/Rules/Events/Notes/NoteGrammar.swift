/// The grammar of instructions in notes to editors.
///
/// A part of a note, from one punctuation mark to the next, is an instruction if it contains an order word and only words of
/// instructions: `Editors: This story has been withdrawn`. Any other word makes it news: `Story was withdrawn from
/// competition`.
struct NoteGrammar {
    /// The result for one part.
    private enum Verdict {
        case none
        /// Counts only if the rest of the note has no words of news.
        case weak
        /// Counts only if no words of news are before it in its sentence: `Water: do not use` is news.
        case prohibition
        case order
    }

    private let parts: [ArraySlice<NoteToken>]
    private let firstWords: Int

    /// - Parameters:
    ///   - tokens: The words of the note with their roles.
    ///   - firstWords: The part must begin within this number of words.
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

    /// Returns the words of the lexicon that instruct an act; `nil` if the note does not instruct it.
    func phrase(ordering act: EditorialNotes.Act) -> String? {
        // Whether the sentence and the note so far contain no words of news.
        var isSentenceClean = true
        var isNoteClean = true
        for (place, part) in parts.enumerated() {
            guard let first = part.first, first.index < firstWords else { return nil }
            if first.word.beginsSentence { isSentenceClean = true }
            let isOrder =
                switch verdict(on: part, act) {
                case .order: act != .embargo || isSentenceClean && !isLifted(after: place)
                case .prohibition: isSentenceClean
                case .weak: isNoteClean && hasReasonOrNothing(after: place, act)
                case .none: false
                }
            if isOrder { return part.phrase(of: act) }
            let isClean = part.contains { $0.role == .reason } || !part.contains(where: \.role.isOfNews)
            isSentenceClean = isSentenceClean && isClean
            isNoteClean = isNoteClean && isClean
        }
        return nil
    }

    /// Whether the parts after a weak word contain a reason for the instruction, a time after the word *embargo*, or no news.
    private func hasReasonOrNothing(after place: Int, _ act: EditorialNotes.Act) -> Bool {
        let rest = parts[(place + 1)...]
        guard let next = rest.first else { return true }
        if act == .embargo {
            let times = next.count { $0.role == .number || $0.role == .time }
            let others = next.count { $0.role == .unknown || $0.role == .lifted }
            if times > 0 { return times > others }
        } else if next.contains(where: { $0.role == .reason || act == .correction && $0.role == .detail }) {
            return true
        } else if act == .hold, next.first?.role == .number {
            // `Killed: 5`
            return false
        }
        return rest.allSatisfy { !$0.contains(where: \.role.isOfNews) }
    }

    /// Whether the part after an embargo ends or denies it: `Sperrfrist: keine`.
    private func isLifted(after place: Int) -> Bool {
        guard place + 1 < parts.count else { return false }
        let next = parts[place + 1]
        return next.contains { $0.role == .lifted || $0.role == .not }
            && !next.contains { [.use, .number, .time].contains($0.role) }
    }

    private func verdict(on part: ArraySlice<NoteToken>, _ act: EditorialNotes.Act) -> Verdict {
        var state = PartState(act)
        for token in part {
            switch state.consume(token.role) {
            case .goesOn: continue
            case .isOrder: return .order
            case .isNews: return .none
            }
        }
        if state.isProhibition { return .prohibition }
        switch state.strength {
        case nil: return .none
        case .weak where state.isOfPicture || state.isOfEmbargo: return .none
        case .weak: return state.namesItem || state.hasTime ? .order : .weak
        case .strong, .label, .agency: return state.namesOnlyDocument ? .weak : .order
        }
    }
}

/// The state after some words of a part.
struct PartState {
    enum Step {
        case goesOn, isOrder, isNews
    }

    private let act: EditorialNotes.Act
    private(set) var strength: NoteOrder.Strength?
    private(set) var isVerb = false
    private(set) var hasItem = false
    private(set) var hasUse = false
    /// Whether a part about an embargo has a time.
    private(set) var hasTime = false
    /// Whether its only object is a picture.
    private(set) var isOfPicture = false
    /// Whether it names an embargo, which may be the object of a removal or cancellation.
    private(set) var isOfEmbargo = false
    private var hasDocument = false
    private var hasThis = false
    private var hasNot = false
    /// Whether the words belong to the name of an item: `The story slugged Quake is withdrawn`.
    private var isNaming = false
    private var previous = NoteRole.lead

    init(_ act: EditorialNotes.Act) { self.act = act }

    /// Whether there are a negation and a word of use, in any order: `nicht verwenden`, `사용 금지`.
    var isProhibition: Bool { act == .hold && hasNot && hasUse && !isOfPicture }
    /// Whether it names the item: `story`, `this report`.
    var namesItem: Bool { hasItem || hasUse || isOfThisItem }
    /// Whether it only names something that is as common in news: `report`, `post`.
    var namesOnlyDocument: Bool { hasDocument && !namesItem }
    private var isOfThisItem: Bool { hasThis && (hasItem || hasDocument) }
    private var hasObject: Bool { hasItem || hasDocument }

    /// Consumes the next word.
    mutating func consume(_ role: NoteRole) -> Step {
        defer { previous = role }
        if isNaming { return consumeInName(role) }
        switch role {
        case .lead: return .goesOn
        // A broken embargo is over.
        case .reason: return act == .embargo ? .isNews : .goesOn
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
            isOfPicture = !hasObject
            return .goesOn
        case .story: return consumeObject(isItem: true)
        case .document: return consumeObject(isItem: act != .hold)
        case .detail:
            guard act == .correction else { return .isNews }
            hasItem = true
            return strength == nil ? .goesOn : .isOrder
        case .number, .time: return consumeTime(role)
        case .slug: return strength != nil && (isVerb || hasObject) ? .isOrder : .goesOn
        case .tail, .naming, .pending: return consumeTail(role)
        case .order(let order): return consume(order)
        case .lifted, .unknown: return .isNews
        }
    }

    private mutating func consumeObject(isItem: Bool) -> Step {
        if isItem { hasItem = true } else { hasDocument = true }
        isOfPicture = false
        return strength != nil && (isVerb || isOfThisItem) ? .isOrder : .goesOn
    }

    private mutating func consumeTime(_ role: NoteRole) -> Step {
        if act == .embargo {
            hasTime = true
            return .goesOn
        }
        if role == .time { return .isNews }
        // `killed 3`
        if case .order = previous { return act == .hold ? .isNews : .goesOn }
        return .goesOn
    }

    private mutating func consumeTail(_ role: NoteRole) -> Step {
        if isProhibition || strength != nil && (isVerb || hasObject) { return .isOrder }
        if role == .pending, let strength, act == .embargo || act == .hold && strength == .agency { return .isOrder }
        if role == .naming, act == .hold, hasItem {
            isNaming = true
            return .goesOn
        }
        return act == .embargo && strength ?? .weak > .weak ? .isOrder : .isNews
    }

    private mutating func consume(_ order: NoteOrder) -> Step {
        guard order.act == act else {
            isOfEmbargo = isOfEmbargo || order.act == .embargo
            // `Embargo removed`
            return act == .embargo && order.act == .hold && order.strength == .weak ? .isNews : .goesOn
        }
        if hasNot, !hasUse { return .isNews }
        // `3 killed`
        if act == .hold, previous == .number, order.strength < .label, !hasObject { return .isNews }
        strength = max(strength ?? .weak, order.strength)
        isVerb = isVerb || order.isVerb
        return act == .correction ? (order.isVerb ? .isOrder : .goesOn) : (isOfThisItem ? .isOrder : .goesOn)
    }

    /// The name of an item may contain any word. An auxiliary verb and a participle, such as `is withdrawn`, end it.
    private mutating func consumeInName(_ role: NoteRole) -> Step {
        guard case .order(let order) = role, order.act == act, !order.isVerb, order.strength > .weak, previous == .lead
        else { return .goesOn }
        isNaming = false
        strength = order.strength
        return .goesOn
    }
}

extension ArraySlice<NoteToken> {
    /// The words of the lexicon that make the instruction, without salutations and without the item's own words.
    func phrase(of act: EditorialNotes.Act) -> String {
        var words: [String] = []
        for token in self {
            let isShown =
                switch token.role {
                case .order(let order): order.act == act
                case .not, .use, .story, .document, .this, .picture: true
                default: false
                }
            if isShown, words.last != token.text { words.append(token.text) }
        }
        return words.prefix(6).joined(separator: " ")
    }
}
