/// The tags that agencies put into a headline: `CORRECTED-UPDATE 2-…`, `(WITHDRAWN) …`, `MANDATORY KILL: …`, `… - WITHDRAWN`.
///
/// News can begin with the same words as a tag (`ZRUŠENO: Festival`), and a false alarm stops it. The form of a tag therefore
/// decides which words count. All words of a tag must be words of instructions. A headline without any other words, such as
/// `STORY WITHDRAWN`, is an instruction in any form.
enum HeadlineTags {
    struct Tag {
        let text: String
        fileprivate let form: Form
        /// Whether the mark next to it is a dash: the mark after it, or before it at the end of the headline.
        fileprivate var isAtDash = false
        /// Whether a word in lower case follows: `KILL - bill dies in senate`.
        fileprivate var isBeforeSmall = false

        /// Whether phrases that a source adds count: it is in brackets, or has no lower-case letters.
        var canBeAdded: Bool { form.isBracket || !text.unicodeScalars.contains(where: \.properties.isLowercase) }
    }

    fileprivate enum Form {
        /// In brackets at the beginning; instruction words that are as common in news need a name for the item.
        case bracket
        /// In brackets at the end.
        case lastBracket
        /// After the last dash or colon.
        case last
        /// Joined by a hyphen without blanks, as in headlines of Reuters.
        case joined
        /// Joined by a hyphen to a word in capitals, so that it may be half of a word: `KILL-SWITCH`.
        case compound
        /// Before a colon, a dash or a similar mark; agencies' instructions and words that name the item count.
        case delimited
        /// In capitals before a headline in lower case, without a mark.
        case bare

        var isBracket: Bool { self == .bracket || self == .lastBracket }
    }

    private static let most = 6
    private static let longest = 64
    private static let hyphens: Set<Unicode.Scalar> = ["-", "\u{2010}", "\u{2011}"]
    private static let ends: Set<Unicode.Scalar> = [
        "-", "\u{2010}", "\u{2011}", "\u{2013}", "\u{2014}", ":", "\u{FF1A}", "|", "/", ".",
    ]
    private static let dashes = hyphens.union(["\u{2013}", "\u{2014}"])
    private static let marks = dashes.union([":", "\u{FF1A}", "|", "/"])
    private static let brackets: [Unicode.Scalar: Unicode.Scalar] = [
        "(": ")", "[": "]", "{": "}", "<": ">", "*": "*", "【": "】", "（": "）", "《": "》", "「": "」", "『": "』", "〈": "〉",
        "〔": "〕", "［": "］", "＜": "＞",
    ]

    /// The tags of a headline: those at its beginning in order, then those at its end.
    static func tags(of headline: String) -> [Tag] {
        let scalars = headline.unicodeScalars
        var tags: [Tag] = []
        var rest = scalars[...]
        while tags.count < most {
            rest = rest.drop { $0.properties.isWhitespace || ends.contains($0) }
            guard let (tag, next) = first(of: rest) else { break }
            tags.append(tag)
            rest = next
        }
        if tags.count < most { tags.append(Tag(text: String(rest.prefix(longest)), form: .bare)) }
        if let last = last(of: scalars) { tags.append(last) }
        if let last = lastPart(of: scalars) { tags.append(last) }
        return tags
    }

    /// The instructions to hold in a headline that contains only words of instructions, and therefore no news.
    static func orders(ofWhole headline: String) -> [EditorialNotes.Act: String] {
        let text = NoteText(headline)
        let tokens = NoteLexicon.standard.tokens(of: text.words)
        guard !text.isCut, tokens.allSatisfy({ $0.role != .unknown && $0.role != .lifted }) else { return [:] }
        let grammar = NoteGrammar(tokens, firstWords: tokens.count)
        let needed = neededStrength(ofWhole: tokens.map(\.role))
        return [EditorialNotes.Act.hold, .embargo].reduce(into: [:]) { orders, act in
            let strengths = tokens.compactMap { $0.role.order(of: act)?.strength }
            let isProhibition = strengths.isEmpty
            guard isProhibition || strengths.contains(where: { $0 >= needed }) else { return }
            orders[act] = grammar.phrase(ordering: act)
        }
    }

    /// With a name in capitals, only an agency's instruction counts: `BC-Quake, KILL`. With other words, only an instruction
    /// that is rare in news counts, so `Second Test cancelled` does not.
    private static func neededStrength(ofWhole roles: [NoteRole]) -> NoteOrder.Strength {
        if roles.contains(.slug) { return .agency }
        let hasOthers = roles.contains { [.lead, .number, .time].contains($0) }
        return hasOthers && !roles.contains(.story) ? .strong : .weak
    }

    private static func first(of rest: Substring.UnicodeScalarView) -> (Tag, Substring.UnicodeScalarView)? {
        let window = rest.prefix(longest)
        guard let opening = window.first else { return nil }
        if let closing = brackets[opening] {
            let inside = window.drop { $0 == opening }
            guard let end = inside.firstIndex(of: closing) else { return nil }
            return (Tag(text: String(inside[..<end]), form: .bracket), rest[end...].drop { $0 == closing })
        }
        guard let end = window.firstIndex(where: ends.contains), end > window.startIndex else { return nil }
        let after = rest[end...].dropFirst()
        let isJoined =
            hyphens.contains(rest[end]) && !window[window.index(before: end)].properties.isWhitespace
            && after.first?.properties.isWhitespace == false
        let text = String(window[..<end])
        var tag = Tag(text: text, form: !isJoined ? .delimited : beginsWithNameInCapitals(after) ? .compound : .joined)
        tag.isAtDash = dashes.contains(rest[end])
        let next = after.first { !$0.properties.isWhitespace && !ends.contains($0) }
        tag.isBeforeSmall = next?.properties.isLowercase ?? false
        // A word such as hold-up, or the beginning of news.
        let isSmall = isJoined && text.unicodeScalars.contains(where: \.properties.isLowercase)
        return isSmall ? nil : tag.goesOn ? (tag, after) : nil
    }

    private static func beginsWithNameInCapitals(_ rest: Substring.UnicodeScalarView) -> Bool {
        guard let first = NoteLexicon.standard.tokens(of: NoteText(String(rest.prefix(longest))).words).first else {
            return false
        }
        return first.word.isCapital && (first.role == .unknown || first.role == .slug)
    }

    private static func last(of headline: String.UnicodeScalarView) -> Tag? {
        let window = headline.suffix(longest)
        guard let closing = window.last, let opening = brackets.first(where: { $0.value == closing })?.key else {
            return nil
        }
        let inside = window.dropLast()
        guard let start = inside.lastIndex(of: opening) else { return nil }
        return Tag(text: String(inside[start...].dropFirst()), form: .lastBracket)
    }

    /// The words after the last dash, colon, bar or slash; a hyphen needs a blank before it.
    private static func lastPart(of headline: String.UnicodeScalarView) -> Tag? {
        let window = headline.suffix(longest)
        let place = window.indices.last { place in
            let mark = window[place]
            guard marks.contains(mark) else { return false }
            let isBlank = place > window.startIndex && window[window.index(before: place)].properties.isWhitespace
            return isBlank || !hyphens.contains(mark)
        }
        guard let place, place > headline.startIndex else { return nil }
        let isDash = dashes.contains(window[place])
        // If the whole headline is in capitals, the words may be news: `CHARGES: WITHDRAWN`.
        let before = headline[..<place]
        let isCapital =
            before.contains(where: \.properties.isUppercase) && !before.contains(where: \.properties.isLowercase)
        guard isDash || !isCapital else { return nil }
        var tag = Tag(text: String(window[place...].dropFirst()), form: .last)
        tag.isAtDash = isDash
        return tag
    }
}

extension HeadlineTags.Tag {
    /// The acts that the tag instructs, with the matching words of the lexicon.
    var orders: [EditorialNotes.Act: String] {
        let tokens = NoteLexicon.standard.tokens(of: NoteText(text).words)
        let known = form == .bare ? Self.bareTag(tokens) : tokens[...]
        guard !known.isEmpty else { return [:] }
        var tag = self
        if form == .bare { tag.isBeforeSmall = tokens[known.endIndex].word.beginsSmall }
        return [EditorialNotes.Act.hold, .embargo, .correction].reduce(into: [:]) { orders, act in
            if tag.counts(known, act) { orders[act] = known.phrase(of: act) }
        }
    }

    /// Whether another tag can follow: this one is in brackets or joined, or has only words of instructions or names in
    /// capitals.
    fileprivate var goesOn: Bool {
        let tokens = NoteLexicon.standard.tokens(of: NoteText(text).words)
        guard form == .delimited else { return true }
        return tokens.allSatisfy { $0.role != .unknown && $0.role != .lifted }
    }

    private func counts(_ tokens: ArraySlice<NoteToken>, _ act: EditorialNotes.Act) -> Bool {
        var state = PartState(act)
        for token in tokens where token.role == .unknown || token.role == .slug || state.consume(token.role) == .isNews
        {
            return false
        }
        let isCapital = tokens.allSatisfy { $0.role == .lead || !$0.word.hasSmall }
        if state.isProhibition {
            switch form {
            case .bracket: return true
            case .last: return isCapital && isAtDash
            case .bare: return true
            case .lastBracket, .joined, .compound, .delimited: return isCapital
            }
        }
        guard let strength = state.strength else { return false }
        let isStrong = strength >= .strong
        // A verb without an object may be the beginning of a sentence or a title.
        let isVerb = act == .hold && state.isVerb
        switch form {
        case .bracket: return isStrong || state.namesItem || act == .correction
        case .lastBracket: return isCapital && isStrong
        case .joined: return isCapital && (isStrong || state.namesItem)
        case .compound: return isCapital && (strength >= .label && !isVerb || state.namesItem)
        case .delimited:
            if state.namesOnlyDocument { return false }
            if state.namesItem { return isStrong || isCapital }
            if state.hasTime { return strength == .agency || isCapital }
            if isVerb && isBeforeSmall { return false }
            if isCapital { return strength >= .label }
            return act == .hold && isAtDash && !isBeforeSmall && strength == .agency && !isVerb
        case .bare:
            if state.namesOnlyDocument { return false }
            let isTag = strength == .agency || strength == .label && !isBeforeSmall
            return isTag && (!state.isVerb || tokens.count > 1) || state.namesItem && isStrong
        case .last:
            guard act != .correction, isCapital, !state.namesOnlyDocument else { return false }
            return strength == .agency && (isAtDash || !isVerb) || state.namesItem && (isAtDash || isStrong)
        }
    }

    /// The words of instructions in capitals before a headline in lower case.
    private static func bareTag(_ tokens: [NoteToken]) -> ArraySlice<NoteToken> {
        let tag = tokens.prefix { $0.word.isCapital && ![.unknown, .lifted, .slug].contains($0.role) }
        guard tag.count < tokens.count, tokens[tag.count].word.hasSmall else { return [] }
        return tag
    }
}
