/// The tags that agencies put on a headline: `CORRECTED-UPDATE 2-…`, `(WITHDRAWN) …`, `MANDATORY KILL: …`, `… (WITHDRAWN)`.
///
/// A headline begins with the same words as news (`ZRUŠENO: Festival`), and a false alarm stops it. The form of a tag therefore
/// decides which words count. All of its words must be words of orders.
enum HeadlineTags {
    struct Tag {
        let text: String
        fileprivate let form: Form

        /// Whether phrases that a source adds count: in brackets or in capitals.
        var canBeAdded: Bool { form.isBracket || !text.unicodeScalars.contains(where: \.properties.isLowercase) }
    }

    fileprivate enum Form {
        /// In brackets at the beginning: every order word counts.
        case bracket
        /// In brackets at the end.
        case lastBracket
        /// Joined by a hyphen without blanks, as Reuters does.
        case joined
        /// The same before a word in capitals, so that it may be half of a word: `KILL-SWITCH`.
        case compound
        /// Before a colon, a dash or the like: the orders of agencies, and words that name the item.
        case delimited
        /// In capitals before a headline in small letters, without a mark.
        case bare

        var isBracket: Bool { self == .bracket || self == .lastBracket }
    }

    private static let most = 6
    private static let longest = 64
    private static let hyphens: Set<Unicode.Scalar> = ["-", "\u{2010}", "\u{2011}"]
    private static let ends: Set<Unicode.Scalar> = [
        "-", "\u{2010}", "\u{2011}", "\u{2013}", "\u{2014}", ":", "\u{FF1A}", "|", "/", ".",
    ]
    private static let brackets: [Unicode.Scalar: Unicode.Scalar] = [
        "(": ")", "[": "]", "{": "}", "<": ">", "*": "*", "【": "】", "（": "）", "《": "》", "「": "」", "『": "』", "〈": "〉",
        "〔": "〕", "［": "］", "＜": "＞",
    ]

    /// The tags of a headline: those in front in order, and one in brackets at its end.
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
        return tags
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
        let tag = Tag(text: text, form: !isJoined ? .delimited : beginsWithNameInCapitals(after) ? .compound : .joined)
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
}

extension HeadlineTags.Tag {
    /// The acts that the tag orders.
    var acts: [EditorialNotes.Act] {
        let words = NoteText(text).words
        let tokens = NoteLexicon.standard.tokens(of: words)
        return [.hold, .correction].filter { act in
            let known = form == .bare ? Self.bareTag(tokens) : tokens[...]
            return known.first != nil && counts(known, act)
        }
    }

    /// Whether another tag can follow: this one is in brackets, or has words of orders or names in capitals.
    fileprivate var goesOn: Bool {
        let tokens = NoteLexicon.standard.tokens(of: NoteText(text).words)
        guard form == .delimited else { return true }
        return tokens.allSatisfy { $0.role != .unknown }
    }

    private func counts(_ tokens: ArraySlice<NoteToken>, _ act: EditorialNotes.Act) -> Bool {
        var state = PartState(act)
        for token in tokens where token.role == .unknown || token.role == .slug || state.take(token.role) == .isNews {
            return false
        }
        let isCapital = tokens.allSatisfy { $0.role == .lead || !$0.word.hasSmall }
        let isProhibition = state.isProhibition
        guard isProhibition || state.strength != nil else { return false }
        let strength = isProhibition ? .strong : state.strength ?? .weak
        let namesItem = state.hasStory || state.hasUse
        switch form {
        case .bracket: return true
        case .lastBracket: return isCapital && strength >= .strong
        case .joined: return isCapital && (strength >= .strong || namesItem)
        case .compound:
            return isCapital && (strength == .agency && !(act == .hold && state.isVerb) || namesItem)
        case .delimited:
            if namesItem, strength >= .strong, !isProhibition { return true }
            return isCapital && (strength == .agency || namesItem)
        case .bare:
            return strength == .agency && (!state.isVerb || tokens.count > 1) || namesItem && strength >= .strong
        }
    }

    /// The words of orders in capitals before a headline in small letters.
    private static func bareTag(_ tokens: [NoteToken]) -> ArraySlice<NoteToken> {
        let tag = tokens.prefix { $0.word.isCapital && $0.role != .unknown && $0.role != .slug }
        guard tag.count < tokens.count, tokens[tag.count].word.hasSmall else { return [] }
        return tag
    }
}
