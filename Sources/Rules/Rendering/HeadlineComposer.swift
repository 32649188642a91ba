import NewsEvents

/// Puts a text into the words of its kind and cuts what is too long.
struct HeadlineComposer {
    let event: NewsEvent
    let category: String
    let limits: TextLimits

    /// - Parameters:
    ///   - text: Of the event.
    ///   - words: Of the kind.
    ///   - place: Which of them.
    /// - Returns: What readers are told; its locale is the caller's to fill in.
    func compose(_ text: TextSources.PreparedText, _ words: LocalizedPattern, at place: Int) -> RenderedText {
        let headline = headline(text, words, at: place)
        let summary = text.summary.map(limits.summary.cut)
        return RenderedText(
            locale: "",
            textFrom: text.language,
            headline: headline.text,
            summary: summary?.text,
            isTruncated: headline.isCut || summary?.isCut ?? false
        )
    }

    private func headline(_ text: TextSources.PreparedText, _ words: LocalizedPattern, at place: Int) -> CutText {
        guard words.patterns[place].hasChoices else { return headline(text, pattern: words.patterns[place]) }
        let rules = words.pluralRules(at: place, text: text.language)
        let pattern = words.patterns[place].chosen(by: rules) { argument in
            event.value(of: argument.field, category: category)
        }
        return headline(text, pattern: pattern)
    }

    /// Cuts the values rather than the whole, so that words after them stay and isolates are closed.
    private func headline(_ text: TextSources.PreparedText, pattern: MessagePattern) -> CutText {
        let budget = limits.headline
        if pattern.isBareHeadline { return budget.cut(text.headline) }
        let whole = fill(pattern, headline: text.headline, summary: text.summary ?? "")
        // A pattern of the summary alone says nothing of a text that has none.
        let isTold =
            pattern.arguments.contains(.headline) || !pattern.arguments.contains(.summary) || text.summary != nil
        if !isTold || whole.allSatisfy(\.isWhitespace) { return budget.cut(text.headline) }
        if budget.admits(whole) { return CutText(text: whole, isCut: false) }

        let own = fill(pattern, headline: "", summary: "")
        let hasSummary = pattern.arguments.contains(.summary) && text.summary != nil
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

    private func fill(_ pattern: MessagePattern, headline: String, summary: String) -> String {
        pattern.formatted { argument in
            switch argument.field {
            case .headline: headline
            case .summary: summary
            default: event.value(of: argument.field, category: category)
            }
        }
    }
}

extension NewsEvent {
    /// What a pattern's argument stands for; empty for the texts, which depend on the language, and for what is absent.
    func value(of field: PatternArgument.Field, category: String) -> String {
        switch field {
        case .headline, .summary: ""
        case .category: category
        case .id: id
        case .story: story
        case .revision: String(revision)
        case .kind: kind.rawValue
        case .url: url ?? ""
        case .image: image ?? ""
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
    fileprivate var withoutIsolates: String {
        filter { $0 != TextDirection.isolateStart && $0 != TextDirection.isolateEnd }
    }
}
