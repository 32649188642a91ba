/// Puts a text into the words of its kind and cuts what is too long.
struct HeadlineComposer {
    /// The words of the kind.
    let words: LocalizedPattern
    /// What arguments stand for beside the texts; `nil` where no words name any.
    let facts: PatternFacts?
    let limits: TextLimits

    /// - Parameters:
    ///   - text: Of the event, prepared.
    ///   - place: Which of the words it is put into.
    ///   - locale: The language that is offered.
    /// - Returns: What its readers are told.
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

    /// Cuts the values rather than the whole, so that words after them stay and isolates are closed.
    private func headline(_ text: borrowing TextSources.Source, pattern: borrowing MessagePattern) -> CutText {
        let budget = limits.headline
        if pattern.isBareHeadline { return budget.cut(text.headline) }
        let whole = fill(pattern, headline: text.headline, summary: text.summary ?? "")
        // A pattern of the summary alone says nothing of a text that has none.
        let isTold = pattern.hasHeadline || !pattern.hasSummary || text.summary != nil
        if !isTold || whole.isBlank { return budget.cut(text.headline) }
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
        // The words alone are too long, or a text stands in them twice: the whole is cut as one text.
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
    /// Room beside a text, less what isolating the value takes.
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
        // Most texts begin with a letter of ASCII, whatever follows it.
        if let first = utf8.first, first > 0x20, first < 0x7F { return false }
        return allSatisfy(\.isWhitespace)
    }

    fileprivate var withoutIsolates: String {
        filter { $0 != TextDirection.isolateStart && $0 != TextDirection.isolateEnd }
    }
}
