/// Inserts a text into the pattern of its kind and cuts it if it is too long.
struct HeadlineComposer {
    /// The patterns of the kind.
    let words: LocalizedPattern
    /// The values of arguments other than the texts; `nil` if no pattern has such arguments.
    let facts: PatternFacts?
    let limits: TextLimits

    /// - Returns: The text for subscribers of this language.
    func compose(_ text: borrowing TextSources.Source, place: Int, locale: String) -> RenderedText {
        let headline = headline(text, place: place)
        var summary: CutText?
        if let whole = text.summary { summary = limits.summary.cut(whole) }
        return RenderedText(
            locale: locale,
            textFrom: text.language,
            headline: headline.text,
            summary: summary?.text,
            isTruncated: headline.isCut || summary?.isCut ?? false
        )
    }

    private func headline(_ text: borrowing TextSources.Source, place: Int) -> CutText {
        let all = words.patterns
        let patterns = all.span
        guard patterns[place].hasChoices else { return headline(text, pattern: patterns[place]) }
        return headline(text, pattern: patterns[place].chosen { facts.value(of: $0) })
    }

    /// Cuts the values rather than the whole text, so that words of the pattern after them are kept and isolates are closed.
    private func headline(_ text: borrowing TextSources.Source, pattern: borrowing MessagePattern) -> CutText {
        let budget = limits.headline
        if pattern.isBareHeadline { return budget.cut(text.headline) }
        let whole = fill(pattern, headline: text.headline, summary: text.summary ?? "")
        // A pattern that contains only the summary is useless for a text without one.
        let isComplete = pattern.hasHeadline || !pattern.hasSummary || text.summary != nil
        if !isComplete || whole.isBlank { return budget.cut(text.headline) }
        if budget.admits(whole) { return CutText(text: whole, isCut: false) }

        let own = fill(pattern, headline: "", summary: "")
        let hasSummary = pattern.hasSummary && text.summary != nil
        var summary = ""
        if hasSummary {
            let head = fill(pattern, headline: text.headline, summary: "")
            summary = budget.remaining(after: head).cut(text.summary ?? "").text
        }
        let rest = hasSummary ? fill(pattern, headline: "", summary: summary) : own
        let cutHeadline = budget.remaining(after: rest).cut(text.headline).text
        let cut = fill(pattern, headline: cutHeadline, summary: summary)
        if !cutHeadline.isEmpty, budget.admits(cut) { return CutText(text: cut, isCut: true) }
        // The pattern alone is too long, or contains a text twice: the whole is cut as one text.
        return CutText(text: budget.cut(whole.withoutIsolates).text, isCut: true)
    }

    private func fill(_ pattern: borrowing MessagePattern, headline: String, summary: String) -> String {
        pattern.formatted { argument in
            switch argument.field {
            case .headline: headline
            case .summary: summary
            default: facts.value(of: argument)
            }
        }
    }
}

extension TextBudget {
    /// The remaining budget after a text, minus the room for isolating the value.
    fileprivate func remaining(after text: String) -> TextBudget {
        let isolates = String([TextDirection.isolateStart, TextDirection.isolateEnd])
        return TextBudget(
            characters: max(0, characters - text.count - isolates.count),
            bytes: max(0, bytes - Self.encodedBytes(of: text) - Self.encodedBytes(of: isolates)),
            ellipsis: ellipsis
        )
    }
}

extension String {
    /// Whether all its characters are white space.
    fileprivate var isBlank: Bool {
        // A shortcut: most texts begin with an ASCII letter.
        if let first = utf8.first, first > 0x20, first < 0x7F { return false }
        return allSatisfy(\.isWhitespace)
    }

    fileprivate var withoutIsolates: String {
        filter { $0 != TextDirection.isolateStart && $0 != TextDirection.isolateEnd }
    }
}
