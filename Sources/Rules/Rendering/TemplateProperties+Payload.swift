package import NewsflashEvents
import NewsflashStrictJSON
import NewsflashTimestamps

extension TemplateProperties {
    /// Builds the body of a send of an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - draft: The common part of its sends, with the same texts and traits; `nil` for the only send.
    ///   - news: The event's texts, which ``Renderer`` rendered for the same languages.
    ///   - push: The traits of the push.
    ///   - category: The category or categories that the send goes to.
    ///   - locale: The language, as written in the configuration, of a send that goes only to its subscribers; `headline` and
    ///     `summary` are then in this language. `nil` for the default language.
    /// - Returns: A JSON object of strings, at most ``maximumBytes`` long.
    /// - Throws: ``TemplatePayloadError`` if it would be longer even with the shortest texts.
    package func payload(
        for event: borrowing NewsEvent,
        from draft: TemplateDraft? = nil,
        news: RenderedNews,
        push: PushTraits,
        category: String? = nil,
        locale: String? = nil
    ) throws(TemplatePayloadError) -> TemplatePayload {
        let main = news.place(forReadersOf: locale)
        let category = category ?? ""
        let whole =
            if let draft {
                body(of: event, as: news.kind, from: draft, texts: news.locales, main: main, category: category)
            } else {
                body(of: event, as: news.kind, push: push, texts: news.locales, main: main, category: category)
            }
        if whole.bytes.count <= Self.maximumBytes { return TemplatePayload(whole, isShortened: false) }
        return try shortened(whole, for: event, news: news, push: push, main: main, category: category)
    }

    private func shortened(
        _ whole: PayloadBytes,
        for event: borrowing NewsEvent,
        news: RenderedNews,
        push: PushTraits,
        main: Int,
        category: String
    ) throws(TemplatePayloadError) -> TemplatePayload {
        // Summaries are shortened first, because the headline is the news.
        for part in [ShortenedPart.summary, .headline] {
            let shortened = longest(from: news.locales, shortening: part) { texts in
                body(of: event, as: news.kind, push: push, texts: texts, main: main, category: category)
            }
            if let shortened { return TemplatePayload(shortened, isShortened: true) }
        }
        throw TemplatePayloadError(bytes: whole.bytes.count)
    }

    /// Writes the common part of several sends of an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - news: The event's texts, which ``Renderer`` rendered for the same languages.
    ///   - push: The traits of the push.
    /// - Returns: The draft for ``payload(for:from:news:push:category:locale:)``.
    package func draft(of event: borrowing NewsEvent, news: RenderedNews, push: PushTraits) -> TemplateDraft {
        var writer = JSONWriter(reservingCapacity: room(for: event, texts: news.locales))
        writer.beginObject()
        let facts = writer.bytes.count
        writeFacts(of: event, to: &writer)
        let traits = writer.bytes.count
        let clock = writeTraits(of: event, push, to: &writer)
        let words = writer.bytes.count
        write(news.locales, to: &writer)
        // Without the comma before the first member of a part.
        return TemplateDraft(
            members: writer.bytes,
            facts: facts..<traits,
            traits: traits + 1..<words,
            words: words + 1..<writer.bytes.count,
            clockPart: clock
        )
    }

    /// An upper estimate of the size in bytes of the members that all sends of an event have in common.
    private func room(for event: borrowing NewsEvent, texts: [RenderedText]) -> Int {
        var room = 384 + event.id.utf8.count + event.story.utf8.count
        room += (event.url?.utf8.count ?? 0) + (event.image?.utf8.count ?? 0)
        let texts = texts.span
        for place in texts.indices {
            room += texts[place].headline.utf8.count + texts[place].shownSummary.utf8.count + 64
        }
        return room
    }

    private func writeFacts(of event: borrowing NewsEvent, to writer: inout JSONWriter) {
        writer.member("id", event.id)
        writer.member("story", event.story)
        writer.member("revision", digitsOf: event.revision)
        writer.member("kind", event.kind.rawValue)
    }

    /// - Returns: The range of the time-dependent properties.
    private func writeTraits(
        of event: borrowing NewsEvent,
        _ push: PushTraits,
        to writer: inout JSONWriter
    ) -> Range<Int> {
        writer.member("url", event.url ?? "")
        writer.member("image", event.image ?? "")
        writer.member("collapse_id", plainAtMost: 16) { $0.append(hexadecimalDigitsOf: push.collapseNumber) }
        let clockStart = writer.bytes.count
        writer.member("expires", digitsOf: max(0, push.expires.seconds))
        writer.member("ttl", digitsOf: push.secondsToLive)
        let clock = clockStart..<writer.bytes.count
        let level = writtenLevels[push.interruption.place]
        writer.members(prepared: level.span)
        return clock
    }

    /// Writes the texts of all languages.
    private func write(_ texts: [RenderedText], to writer: inout JSONWriter) {
        for (text, names) in zip(texts, writtenTexts) {
            writer.name(prepared: names.headline)
            writer.value(text.headline)
            writer.name(prepared: names.summary)
            writer.value(text.shownSummary)
        }
    }

    /// Writes the whole body of a send.
    private func body(
        of event: borrowing NewsEvent,
        as kind: TextKind?,
        push: PushTraits,
        texts: [RenderedText],
        main: Int,
        category: String
    ) -> PayloadBytes {
        let capacity = room(for: event, texts: texts) + room(for: texts.span, main: main, category)
        var writer = JSONWriter(reservingCapacity: capacity)
        writer.beginObject()
        writeFacts(of: event, to: &writer)
        writer.member("category", category)
        let clock = writeTraits(of: event, push, to: &writer)
        write(texts[main], to: &writer)
        write(texts, to: &writer)
        writeChoices(for: event, as: kind, texts: texts, main: main, category: category, to: &writer)
        writer.endObject()
        return PayloadBytes(bytes: writer.finish(), clockPart: clock)
    }

    /// Writes the body of one of several sends.
    private func body(
        of event: borrowing NewsEvent,
        as kind: TextKind?,
        from draft: borrowing TemplateDraft,
        texts: [RenderedText],
        main: Int,
        category: String
    ) -> PayloadBytes {
        let members = draft.members.span
        let capacity = members.count + room(for: texts.span, main: main, category)
        var writer = JSONWriter(reservingCapacity: capacity)
        writer.beginObject()
        writer.members(prepared: members.extracting(draft.facts))
        writer.member("category", category)
        // After the comma before the traits.
        let traits = writer.bytes.count + 1
        writer.members(prepared: members.extracting(draft.traits))
        write(texts[main], to: &writer)
        writer.members(prepared: members.extracting(draft.words))
        writeChoices(for: event, as: kind, texts: texts, main: main, category: category, to: &writer)
        writer.endObject()
        let distance = traits - draft.traits.lowerBound
        return PayloadBytes(
            bytes: writer.finish(),
            clockPart: draft.clockPart.lowerBound + distance..<draft.clockPart.upperBound + distance
        )
    }

    /// An upper estimate of the size in bytes of the members that only one send has.
    private func room(for texts: Span<RenderedText>, main: Int, _ category: String) -> Int {
        category.utf8.count + texts[main].headline.utf8.count + texts[main].shownSummary.utf8.count + 128
    }

    /// Writes the texts in the language of a send.
    private func write(_ text: RenderedText, to writer: inout JSONWriter) {
        writer.member("headline", text.headline)
        writer.member("summary", text.shownSummary)
    }

    /// Writes the properties that the newsroom configures.
    private func writeChoices(
        for event: borrowing NewsEvent,
        as kind: TextKind?,
        texts: [RenderedText],
        main: Int,
        category: String,
        to writer: inout JSONWriter
    ) {
        if chosen.isEmpty { return }
        let facts = chosenHaveFacts ? PatternFacts(of: event, as: kind, category: category) : nil
        for place in chosen.indices {
            writer.name(prepared: writtenChoices[place])
            writer.value(value(of: chosen[place].pattern, texts: texts, main: main, facts))
        }
    }

    /// The value of a configured property.
    private func value(
        of pattern: MessagePattern,
        texts: [RenderedText],
        main: Int,
        _ facts: PatternFacts?
    ) -> String {
        let pattern =
            pattern.hasChoices ? pattern.chosen { facts.value(of: $0) } : pattern
        return pattern.formatted { argument in
            let place = argument.localeIndex ?? main
            return switch argument.field {
            case .headline: texts[place].headline
            case .summary: texts[place].shownSummary
            default: facts.value(of: argument)
            }
        }
    }

    /// The configured properties of a send without the event's text.
    func choices(id: String, notice: RenderedNews, main: Int) -> [(name: String, value: String)] {
        let facts = PatternFacts(id: id)
        return chosen.map { name, pattern in
            (name, value(of: pattern, texts: notice.locales, main: main, facts))
        }
    }
}

// MARK: - Shortening

/// The part of the texts that is cut if all languages together are too long.
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
        // Without a summary the headline is shown instead, so that neither is empty.
        case .headline: text.showing(headline: cut, summary: nil)
        }
    }
}

extension TemplateProperties {
    /// The body with the longest texts that fit if one part of them is cut, found by bisection; `nil` if nothing fits.
    private func longest(
        from texts: [RenderedText],
        shortening part: ShortenedPart,
        render: ([RenderedText]) -> PayloadBytes
    ) -> PayloadBytes? {
        var best: PayloadBytes?
        // A headline is never cut to an empty text.
        var low = part == .headline ? 24 : 0
        var high = texts.map { TextBudget.encodedBytes(of: part.text(of: $0)) }.max() ?? 0
        while low <= high {
            let middle = (low + high) / 2
            let budget = TextBudget(characters: middle, bytes: middle, ellipsis: ellipsis)
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
    fileprivate func showing(headline: String, summary: String?) -> RenderedText {
        var text = self
        text.headline = headline
        text.summary = summary
        return text
    }
}

extension JSONWriter {
    /// Writes a member with an integer as a string.
    fileprivate mutating func member(_ name: StaticString, digitsOf value: Int64) {
        member(name, plainAtMost: 20) { $0.append(digitsOf: value) }
    }
}

extension TemplatePayload {
    fileprivate init(_ written: PayloadBytes, isShortened: Bool) {
        self.init(body: written.bytes, isShortened: isShortened, clockPart: written.clockPart)
    }
}
