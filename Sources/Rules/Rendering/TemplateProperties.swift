package import NewsEvents
import StrictJSON

/// Builds the properties of a template send: what devices' templates take their words from.
///
/// Always there: `id story revision kind category url image`, `collapse_id expires ttl interruption sound` (see
/// ``PushTraits``), `headline summary` (the default language's) and, for each offered language, `headline_<locale>` and
/// `summary_<locale>` with `_` for `-`. None of the texts is ever empty: a text without a summary gives its headline for it,
/// since a template may show the summary alone.
package struct TemplateProperties: Sendable {
    /// The most bytes of JSON that the hub takes for a template send.
    package static let maximumBytes = 65_536
    /// The most properties of the newsroom's choice.
    package static let maximumCount = 64

    /// What says that the words do not travel.
    package static let deliveryName = "delivery"
    /// What an event says beside its texts.
    private static let facts: [PatternArgument.Field] = [.id, .story, .revision, .kind, .category, .url, .image]

    private let locales: OfferedLocales
    let headlineNames: [String]
    let summaryNames: [String]
    private let chosen: [(name: String, pattern: MessagePattern)]
    /// All names as they are written, in the order of ``names``.
    private let written: [[UInt8]]
    /// What stands before the value of `sound`, for each level of `InterruptionLevel.allCases`.
    private let levels: [[UInt8]]

    /// Checks the newsroom's own properties.
    ///
    /// - Parameters:
    ///   - locales: The languages of the texts.
    ///   - properties: `properties:` of the configuration: names of `[A-Za-z0-9_]{1,120}` and patterns, which may name
    ///     texts of one language as in `{headline_fr}`.
    /// - Throws: ``RuleProblems`` with paths such as `properties.messageParam`.
    package init(
        locales: OfferedLocales,
        properties: [(name: String, pattern: String)] = []
    ) throws(RuleProblems) {
        var problems: [RuleProblem] = []
        var chosen: [(name: String, pattern: MessagePattern)] = []
        self.locales = locales
        self.headlineNames = locales.propertySuffixes.map { "headline_" + $0 }
        self.summaryNames = locales.propertySuffixes.map { "summary_" + $0 }
        var taken = Set((headlineNames + summaryNames).map { $0.lowercased() })
        taken.formUnion(PatternArgument.Field.allCases.map(\.rawValue) + PushTraits.propertyNames + [Self.deliveryName])
        if properties.count > Self.maximumCount {
            let message = "has \(properties.count) names; at most \(Self.maximumCount) leave room for the texts"
            problems.append(RuleProblem(path: "properties", message: message))
        }
        for (name, text) in properties {
            let path = "properties.\(name)"
            if !Self.isPropertyName(name) {
                let message = "a property's name has 1 to 120 letters, digits and _ of ASCII; templates read no other"
                problems.append(RuleProblem(path: path, message: message))
            } else if !taken.insert(name.lowercased()).inserted {
                let message = "is there already (the case of letters does not count); take another name"
                problems.append(RuleProblem(path: path, message: message))
            }
            do throws(MessagePatternError) {
                let pattern = try MessagePattern(text, locales: locales)
                problems += pattern.faults(in: locales.fallbacks.map(\.key.tag), path: path)
                chosen.append((name, pattern))
            } catch {
                problems.append(RuleProblem(path: path, message: error.explanation))
            }
        }
        guard problems.isEmpty else { throw RuleProblems(problems) }
        self.chosen = chosen
        let texts = zip(headlineNames, summaryNames).flatMap { [$0, $1] }
        names =
            Self.facts.map(\.rawValue) + PushTraits.propertyNames + ["headline", "summary"] + texts
            + chosen.map(\.name)
        written = names.map(JSONWriter.prepared)
        levels = InterruptionLevel.allCases.map { level in
            JSONWriter.prepared(name: "interruption") + Array("\"\(level.appleName)\",".utf8)
                + JSONWriter.prepared(name: "sound")
        }
    }

    /// The names that every send carries, in the order of ``payload(for:news:push:category:locale:)``.
    package let names: [String]

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
        let main = locale.flatMap { name in news.locales.firstIndex { $0.locale == name } } ?? news.defaultIndex
        let texts = news.locales.map { PropertyTexts(headline: $0.headline, summary: $0.summary ?? $0.headline) }
        let whole = body(of: event, push, texts: texts, main: main, category: category ?? "")
        if whole.bytes.count <= Self.maximumBytes { return TemplatePayload(whole, isShortened: false) }

        // Summaries go first, since the headline is the news.
        for part in [\PropertyTexts.summary, \PropertyTexts.headline] {
            if let body = longest(
                from: texts,
                shortening: part,
                render: { texts in
                    body(of: event, push, texts: texts, main: main, category: category ?? "")
                }
            ) {
                return TemplatePayload(body, isShortened: true)
            }
        }
        throw TemplatePayloadError(bytes: whole.bytes.count)
    }

    /// The body with as much as fits of one part of the texts, found by halving; `nil` where nothing fits.
    private func longest(
        from texts: [PropertyTexts],
        shortening part: WritableKeyPath<PropertyTexts, String>,
        render: ([PropertyTexts]) -> PayloadBytes
    ) -> PayloadBytes? {
        let isHeadline = part == \PropertyTexts.headline
        var best: PayloadBytes?
        // A headline is never cut to nothing.
        var low = isHeadline ? 24 : 0
        var high = texts.map { TextBudget.encodedBytes(of: $0[keyPath: part]) }.max() ?? 0
        while low <= high {
            let middle = (low + high) / 2
            let budget = TextBudget(characters: middle, bytes: middle)
            let body = render(
                texts.map { text in
                    var text = text
                    if isHeadline { text.summary = "" }
                    text[keyPath: part] = budget.cut(text[keyPath: part]).text
                    return text
                }
            )
            if body.bytes.count <= Self.maximumBytes {
                best = body
                low = middle + 1
            } else {
                high = middle - 1
            }
        }
        return best
    }

    private func body(
        of event: NewsEvent,
        _ push: PushTraits,
        texts: [PropertyTexts],
        main: Int,
        category: String
    ) -> PayloadBytes {
        var writer = JSONWriter(reservingCapacity: 512 + texts.count * 512)
        var place = 0
        func write(_ value: String) {
            writer.name(prepared: written[place])
            writer.value(value)
            place += 1
        }
        writer.beginObject()
        for field in Self.facts { write(event.value(of: field, category: category)) }
        write(push.collapseID)
        let clockPart = writer.bytes.count
        write(push.expiresText)
        write(push.timeToLiveText)
        let rest = writer.bytes.count
        // Name and value of the one, and the name of the other, in one go: there are three of them.
        writer.name(prepared: levels[push.interruption.place])
        writer.value(push.sound)
        place += 2
        write(texts[main].headline)
        write(texts[main].summary)
        for text in texts {
            write(text.headline)
            write(text.summary)
        }
        for (_, pattern) in chosen {
            write(value(of: pattern, texts: texts, main: main) { event.value(of: $0, category: category) })
        }
        writer.endObject()
        return PayloadBytes(bytes: writer.takeBytes(), clockPart: clockPart..<rest)
    }

    /// What a property of the newsroom's choice says.
    @inline(__always)
    private func value(
        of pattern: MessagePattern,
        texts: [PropertyTexts],
        main: Int,
        _ fact: (PatternArgument.Field) -> String
    ) -> String {
        let pattern =
            !pattern.hasChoices
            ? pattern : pattern.chosen(by: PluralRules(locales.fallbacks[main].key.tag)) { fact($0.field) }
        return pattern.formatted { argument in
            let text = texts[argument.localeIndex ?? main]
            return switch argument.field {
            case .headline: text.headline
            case .summary: text.summary
            default: fact(argument.field)
            }
        }
    }

    /// The properties of the newsroom's choice, of a send whose words do not travel.
    func choices(id: String, notice: RenderedNews, main: Int) -> [(name: String, value: String)] {
        let texts = notice.locales.map { PropertyTexts(headline: $0.headline, summary: $0.headline) }
        return chosen.map { name, pattern in
            (name, value(of: pattern, texts: texts, main: main) { $0 == .id ? id : "" })
        }
    }

    private static func isPropertyName(_ name: String) -> Bool {
        (1...120).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                $0 == UInt8(ascii: "_") || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
                    || (($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z"))
            }
    }
}

/// The texts of one language as properties show them.
private struct PropertyTexts {
    var headline: String
    var summary: String
}

extension TemplatePayload {
    fileprivate init(_ written: PayloadBytes, isShortened: Bool) {
        self.init(body: written.bytes, isShortened: isShortened, clockPart: written.clockPart)
    }
}
