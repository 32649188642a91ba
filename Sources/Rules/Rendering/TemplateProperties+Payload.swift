package import NewsEvents
import StrictJSON
import Timestamps

extension TemplateProperties {
    /// Builds the body of one send.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - news: The event as ``Renderer`` rendered it for the same languages.
    ///   - push: What lets platforms replace and forget it.
    ///   - category: The category or categories that the send goes to.
    ///   - locale: The language, as the configuration writes it, of a send that goes to its readers only: `headline` and
    ///     `summary` are in it then. `nil` for the default one.
    /// - Returns: A JSON object of strings, at most ``maximumBytes`` long.
    /// - Throws: ``TemplatePayloadError`` where it would be longer even with the shortest texts.
    package func payload(
        for event: NewsEvent,
        news: RenderedNews,
        push: PushTraits,
        category: String? = nil,
        locale: String? = nil
    ) throws(TemplatePayloadError) -> TemplatePayload {
        let draft = draft(of: event, news: news, push: push)
        return try payload(for: event, from: draft, news: news, push: push, category: category, locale: locale)
    }

    /// Builds the body of one of several sends.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - draft: What was written of it before, with the same texts and traits.
    ///   - news: The event as ``Renderer`` rendered it for the same languages.
    ///   - push: What lets platforms replace and forget it.
    ///   - category: The category or categories that the send goes to.
    ///   - locale: The language of its readers; `nil` for the default one.
    /// - Returns: A JSON object of strings, at most ``maximumBytes`` long.
    /// - Throws: ``TemplatePayloadError`` where it would be longer even with the shortest texts.
    package func payload(
        for event: NewsEvent,
        from draft: TemplateDraft,
        news: RenderedNews,
        push: PushTraits,
        category: String? = nil,
        locale: String? = nil
    ) throws(TemplatePayloadError) -> TemplatePayload {
        let main = locale.flatMap { news.place(ofLocale: $0) } ?? news.defaultIndex
        let category = category ?? ""
        let whole = body(of: event, from: draft, texts: news.locales, main: main, category: category)
        if whole.bytes.count <= Self.maximumBytes { return TemplatePayload(whole, isShortened: false) }

        // Summaries go first, since the headline is the news.
        for part in [ShortenedPart.summary, .headline] {
            let shortened = longest(from: news.locales, shortening: part) { texts in
                body(
                    of: event,
                    from: self.draft(of: event, texts: texts, push: push),
                    texts: texts,
                    main: main,
                    category: category
                )
            }
            if let shortened { return TemplatePayload(shortened, isShortened: true) }
        }
        throw TemplatePayloadError(bytes: whole.bytes.count)
    }

    /// Writes what all sends of an event have in common.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - news: The event as ``Renderer`` rendered it for the same languages.
    ///   - push: What lets platforms replace and forget it.
    /// - Returns: What ``payload(for:from:news:push:category:locale:)`` begins with.
    package func draft(of event: NewsEvent, news: RenderedNews, push: PushTraits) -> TemplateDraft {
        draft(of: event, texts: news.locales, push: push)
    }

    private func draft(of event: NewsEvent, texts: [RenderedText], push: PushTraits) -> TemplateDraft {
        var writer = JSONWriter(reservingCapacity: 512 + texts.count * 512)
        writer.member("id", event.id)
        writer.member("story", event.story)
        writer.member("revision", plainAtMost: 20) { $0.append(digitsOf: event.revision) }
        writer.member("kind", event.kind.rawValue)
        let facts = 0..<writer.bytes.count
        writer.member("url", event.url ?? "")
        writer.member("image", event.image ?? "")
        writer.member("collapse_id", push.collapseID)
        let clock = writer.bytes.count
        writer.member("expires", plainAtMost: 20) { $0.append(digitsOf: max(0, push.expires.seconds)) }
        writer.member("ttl", plainAtMost: 20) { $0.append(digitsOf: push.timeToLive.components.seconds) }
        let clockPart = clock..<writer.bytes.count
        let level = writtenLevels[push.interruption.place]
        writer.members(level.span)
        // A comma stands between two parts.
        let traits = facts.upperBound + 1..<writer.bytes.count
        for place in texts.indices {
            writer.member(prepared: writtenTexts[place].headline, texts[place].headline)
            writer.member(prepared: writtenTexts[place].summary, texts[place].shownSummary)
        }
        let words = min(traits.upperBound + 1, writer.bytes.count)..<writer.bytes.count
        return TemplateDraft(
            members: writer.takeBytes(),
            facts: facts,
            traits: traits,
            words: words,
            clockPart: clockPart
        )
    }

    private func body(
        of event: NewsEvent,
        from draft: TemplateDraft,
        texts: [RenderedText],
        main: Int,
        category: String
    ) -> PayloadBytes {
        let members = draft.members.span
        let headline = texts[main].headline
        let summary = texts[main].shownSummary
        let own = category.utf8.count + headline.utf8.count + summary.utf8.count
        var writer = JSONWriter(reservingCapacity: members.count + own + 128)
        writer.beginObject()
        writer.members(members.extracting(draft.facts))
        writer.member("category", category)
        let distance = writer.bytes.count + 1 - draft.traits.lowerBound
        writer.members(members.extracting(draft.traits))
        writer.member("headline", headline)
        writer.member("summary", summary)
        writer.members(members.extracting(draft.words))
        let facts = chosenHaveFacts ? PatternFacts(of: event, category: category) : nil
        for place in chosen.indices {
            let value = value(of: chosen[place].pattern, texts: texts, main: main, facts)
            writer.member(prepared: writtenChoices[place], value)
        }
        writer.endObject()
        let clockPart = draft.clockPart.lowerBound + distance..<draft.clockPart.upperBound + distance
        return PayloadBytes(bytes: writer.takeBytes(), clockPart: clockPart)
    }

    /// What a property of the newsroom's choice says.
    private func value(
        of pattern: MessagePattern,
        texts: [RenderedText],
        main: Int,
        _ facts: PatternFacts?
    ) -> String {
        let pattern =
            !pattern.hasChoices
            ? pattern : pattern.chosen(by: PluralRules(locales.fallbacks[main].key.tag)) { facts.value(of: $0) }
        return pattern.formatted { argument in
            let text = texts[argument.localeIndex ?? main]
            return switch argument.field {
            case .headline: text.headline
            case .summary: text.shownSummary
            default: facts.value(of: argument)
            }
        }
    }

    /// The properties of the newsroom's choice, of a send whose words do not travel.
    func choices(id: String, notice: RenderedNews, main: Int) -> [(name: String, value: String)] {
        let facts = PatternFacts(id: id)
        return chosen.map { name, pattern in
            (name, value(of: pattern, texts: notice.locales, main: main, facts))
        }
    }
}

// MARK: - Shortening

/// What of the texts is cut where all languages together are too long.
private enum ShortenedPart {
    case summary
    case headline

    func text(of text: RenderedText) -> String {
        switch self {
        case .summary: text.shownSummary
        case .headline: text.headline
        }
    }

    func cut(_ text: RenderedText, to budget: TextBudget) -> RenderedText {
        let cut = budget.cut(self.text(of: text)).text
        return switch self {
        case .summary: text.showing(headline: text.headline, summary: cut)
        case .headline: text.showing(headline: cut, summary: "")
        }
    }
}

extension TemplateProperties {
    /// The body with as much as fits of one part of the texts, found by halving; `nil` where nothing fits.
    private func longest(
        from texts: [RenderedText],
        shortening part: ShortenedPart,
        render: ([RenderedText]) -> PayloadBytes
    ) -> PayloadBytes? {
        var best: PayloadBytes?
        // A headline is never cut to nothing.
        var low = part == .headline ? 24 : 0
        var high = texts.map { TextBudget.encodedBytes(of: part.text(of: $0)) }.max() ?? 0
        while low <= high {
            let middle = (low + high) / 2
            let budget = TextBudget(characters: middle, bytes: middle)
            let body = render(texts.map { part.cut($0, to: budget) })
            if body.bytes.count <= Self.maximumBytes {
                best = body
                low = middle + 1
            } else {
                high = middle - 1
            }
        }
        return best
    }
}

extension RenderedText {
    fileprivate func showing(headline: String, summary: String) -> RenderedText {
        var text = self
        text.headline = headline
        text.summary = summary
        return text
    }
}

extension TemplatePayload {
    fileprivate init(_ written: PayloadBytes, isShortened: Bool) {
        self.init(body: written.bytes, isShortened: isShortened, clockPart: written.clockPart)
    }
}
