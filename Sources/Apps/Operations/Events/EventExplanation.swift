import NewsEvents
package import NotificationHubs
import Planning
package import Publishing
import Rendering
import Routing
import StrictJSON
import Timestamps
package import Worker

/// The reasons for the outcome of a record, with the lines of the rules in the configuration.
package struct EventExplanation {
    package let record: RehearsedRecord
    package let configuration: WorkerConfiguration
    package let places: ConfigurationPlaces
    /// The clients of the hubs, by the label used in requests.
    package let clients: [String: HubClient]

    package init(
        record: RehearsedRecord,
        configuration: WorkerConfiguration,
        places: ConfigurationPlaces,
        clients: [String: HubClient]
    ) {
        self.record = record
        self.configuration = configuration
        self.places = places
        self.clients = clients
    }

    /// Returns the explanation as text.
    ///
    /// - Returns: The text.
    /// - Throws: `HubError`, which cannot occur for template sends to tags.
    package func text(place: String) throws -> String {
        guard case .event(let event, warnings: _) = record.content else {
            return paragraph("\(place): \(titleOfOther)", record.outcomes.map(line))
        }
        let heading =
            "\(place): \(event.id): \(event.kind.rawValue), revision \(event.revision) of \(event.story), from \(event.source)"
        let lines = reader + times(of: event) + record.outcomes.map(line) + loudness + secrecy(of: event)
        var paragraphs = [paragraph(heading, lines)]
        paragraphs.append(paragraph("categories", categories(of: event)))
        guard let telling = record.telling else { return paragraphs.joined(separator: "\n\n") }
        paragraphs.append(paragraph("tags", tags(of: telling)))
        paragraphs.append(paragraph("texts", texts(of: telling)))
        paragraphs += try telling.sends.compactMap { send -> String? in
            guard let client = clients[send.hub] else { return nil }
            let request = try client.request(for: send.message, to: .tags(send.expression))
            return RenderedRequest(send: send, request: request).text
        }
        return paragraphs.joined(separator: "\n\n")
    }

    /// The title of a record that is not an event.
    private var titleOfOther: String {
        guard case .rejected(let rejection) = record.content else { return "not an event; skipped" }
        return (rejection.id.map { "\($0): " } ?? "") + "not an event that can be sent; it would be a dead letter"
    }

    private func paragraph(_ heading: String, _ lines: [String]) -> String {
        ([heading] + lines.map { "  " + $0 }).joined(separator: "\n")
    }

    // MARK: - Decisions

    /// The source that read the record, if there are several sources.
    private var reader: [String] {
        guard configuration.sources.count > 1, let source = record.source else { return [] }
        return ["read by \(places.place(of: ["sources", source]))"]
    }

    private func times(of event: NewsEvent) -> [String] {
        let deadline = configuration.publishing.policy.deadline(of: event).rfc3339
        let rule = ruleOfDeadline(event)
        var lines = ["treated as if it arrived at \(record.appendedAt.rfc3339); published \(event.published.rfc3339)"]
        if let embargo = event.embargo { lines.append("not before \(embargo.rfc3339): the event's embargo") }
        let exception = event.kind == .kill ? "; later only if subscribers were notified of its story" : ""
        // A hold never expires.
        if event.kind != .hold { lines.append("not after \(deadline): \(rule)\(exception)") }
        if event.mode != .live { lines.append("for \(event.mode.rawValue): the event's mode") }
        return lines
    }

    /// Returns the rule that determines when an event expires.
    func ruleOfDeadline(_ event: NewsEvent) -> String {
        guard let expires = event.expires else { return places.place(of: ["policy", "life", event.kind.rawValue]) }
        let isCapped = configuration.publishing.policy.deadline(of: event) < expires
        return isCapped ? places.place(of: ["policy", "maximumLife"]) : "the event's expires"
    }

    private func line(_ outcome: OutcomeRecord) -> String {
        let verdict = outcome.verdict
        let rule = rule(of: outcome).map { ": \($0)" } ?? ""
        let detail = verdict.detail.map { " — \($0)" } ?? ""
        let warnings = outcome.warnings.isEmpty ? "" : "; warnings: " + outcome.warnings.joined(separator: ", ")
        return "\(verdict.reason ?? verdict.outcome.rawValue) at \(outcome.at.rfc3339)\(rule)\(detail)\(warnings)"
    }

    /// Returns the rule that caused an outcome, for reasons that depend on the configuration.
    package func rule(of outcome: OutcomeRecord) -> String? {
        switch outcome.verdict.reason {
        case "expired.ttl": places.place(of: ["policy", "life", outcome.kind])
        case "invalid.future": places.place(of: ["policy", "clockSkew"])
        case "invalid.times": ruleOfTimes(outcome.verdict.detail ?? "")
        case "suppressed.hold" where outcome.warnings.contains(where: { $0.hasPrefix("notes.") }):
            places.place(of: ["sources", record.source ?? configuration.source.name, "notes"])
        case "invalid.no_secure_text": places.place(of: ["text", SecureNotice.template])
        case "invalid.unmapped": places.place(of: ["unknown"])
        case "held.unconfirmed": places.place(of: ["policy", "approvals", outcome.kind], ["policy", "approvals"])
        case "failed.unconfirmed": places.place(of: ["policy", "approvalWait"])
        case "held.embargo_dropped": places.place(of: ["policy", "embargoDropped"])
        case "held.brake": places.place(of: ["policy", "brake"])
        case "deferred.quiet_hours": places.place(of: ["policy", "quiet"])
        case "suppressed.not_for_push":
            places.place(of: ["sources", record.source ?? configuration.source.name, "push"])
        case "suppressed.no_test_hub": places.place(of: ["hubs", "test"])
        default: nil
        }
    }

    /// Returns the rule that invalid times break. Often the event's own times cause the error, not the configuration.
    private func ruleOfTimes(_ detail: String) -> String {
        if detail.hasPrefix("/expires:") { return "the event's expires" }
        if detail.contains("/expires") { return "the event's embargo and expires" }
        return places.place(of: ["policy", "maximumEmbargo"])
    }

    private var loudness: [String] {
        guard let telling = record.telling, let level = telling.interruption else { return [] }
        let urgency = String(telling.event.urgency)
        guard telling.isSilenced else {
            return ["\(level.rawValue) for urgency \(urgency): \(places.place(of: ["interruption", urgency]))"]
        }
        return ["\(level.rawValue), made silent: \(places.place(of: ["policy", "caps"], ["policy", "quiet"]))"]
    }

    /// Explains why the text is not sent.
    private func secrecy(of event: NewsEvent) -> [String] {
        guard record.telling?.isSecure == true else { return [] }
        let reason =
            event.delivery == .secure ? "the event's delivery" : "the delivery of an earlier event of its story"
        return ["secure, so only a token of the event is sent: \(reason)"]
    }

    // MARK: - Audience

    private func categories(of event: NewsEvent) -> [String] {
        let route = configuration.news.route(of: event)
        var lines = route.matches.map { match in
            let way = match.via == match.code ? "" : " through \(match.via)"
            return "\(match.code) is \(match.category)\(way): \(rule(ofCategory: match.category, via: match.via))"
        }
        lines += route.unknown.map { "\($0) is unknown: \(places.place(of: ["unknown"]))" }
        lines += route.retired.map { "\($0) is retired; its last parents are used" }
        lines += route.narrowed.map { "\($0) is dropped for a narrower one: \(places.place(of: ["narrower"]))" }
        return lines.isEmpty ? ["no categories of its own"] : lines
    }

    /// Returns the rule that maps a code to a category.
    package func rule(ofCategory category: String, via code: String) -> String {
        places.place(of: ["categories", code], ["categories", category])
    }

    private func tags(of telling: RehearsedPush) -> [String] {
        var lines = telling.sends.map { send in
            let locale = send.locale.map { " (\($0))" } ?? ""
            return "\(send.hub), \(send.platform): \(send.expression)\(locale)"
        }
        let users = telling.userTags.count
        if telling.goesToTold {
            lines.append(
                "everyone notified by \(telling.audienceFrom.joined(separator: ", ")), regardless of categories"
            )
        } else {
            if telling.sends.contains(where: { !$0.isForUsers }) {
                lines.append("determined by \(places.place(of: ["send", "tags"]))")
            }
            if users > 0 {
                lines.append("\(counted(users, "user")), tags determined by \(places.place(of: ["send", "users"]))")
                if telling.sends.contains(where: { !$0.isForUsers }) {
                    lines.append(
                        "a user who is also in a category may get it twice; the second notification replaces the first"
                    )
                }
            }
        }
        return lines
    }

    // MARK: - Texts

    private func texts(of telling: RehearsedPush) -> [String] {
        telling.texts.map { text in
            let rule = rule(of: text, in: telling)
            if telling.isSecure { return "\(text.locale): \(text.headline) — \(rule)" }
            let cut = text.isTruncated ? ", cut" : ""
            let from = text.textFrom == text.locale ? "" : " from \(text.textFrom)"
            return "\(text.locale)\(from)\(why(text, telling.event))\(cut): \(text.headline) — \(rule)"
        }
    }

    /// Returns the rule for the text around a headline.
    package func rule(of text: RehearsedPush.Text, in telling: RehearsedPush) -> String {
        let kind = telling.sends.first?.template ?? TextKind.alert.rawValue
        if telling.isSecure { return places.place(of: ["text", kind, text.locale], ["text", kind]) }
        return places.place(
            of: ["text", kind, text.textFrom],
            ["text", kind, text.locale],
            ["text", kind],
            ["text", TextKind.alert.rawValue]
        )
    }

    /// Explains why subscribers of a language get a text in another language.
    private func why(_ text: RehearsedPush.Text, _ event: NewsEvent) -> String {
        if text.textFrom == text.locale { return "" }
        if Self.language(of: text.textFrom) == Self.language(of: text.locale) { return ", the nearest of the language" }
        if text.textFrom == configuration.news.locales.default { return ", the default language" }
        if text.textFrom == event.language { return ", the event's own language" }
        return ", the best available text"
    }

    private static func language(of tag: String) -> Substring { tag.prefix { $0 != "-" } }
}

extension EventExplanation {
    /// Returns the explanation as JSON: an object with the event, its decisions, categories, texts and requests, each with
    /// the line of its rule.
    ///
    /// - Returns: One line.
    /// - Throws: `HubError`, which cannot occur for template sends to tags.
    package func json(place: String) throws -> [UInt8] {
        try JSONWriter.object(reservingCapacity: 4096) { writer in
            writer.member("place", place)
            writer.member("appendAt", record.appendedAt.rfc3339)
            if case .event(let event, warnings: _) = record.content { write(event, to: &writer) }
            writer.member("decisions", each: record.outcomes) { writer, outcome in write(outcome, to: &writer) }
            if case .event(let event, warnings: _) = record.content { writeCategories(of: event, to: &writer) }
            if let telling = record.telling { try write(telling, to: &writer) }
        }
    }

    private func write(_ event: NewsEvent, to writer: inout JSONWriter) {
        writer.member("id", event.id)
        writer.member("source", event.source)
        writer.member("story", event.story)
        writer.member("revision", event.revision)
        writer.member("kind", event.kind.rawValue)
        writer.member("published", event.published.rfc3339)
        writer.member("embargo", event.embargo?.rfc3339)
        guard event.kind != .hold else { return }
        writer.member("notAfter", configuration.publishing.policy.deadline(of: event).rfc3339)
        writer.member("notAfterRule", ruleOfDeadline(event))
    }

    private func write(_ outcome: OutcomeRecord, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", outcome.at.rfc3339)
        writer.member("outcome", outcome.verdict.outcome.rawValue)
        writer.member("reason", outcome.verdict.reason)
        writer.member("detail", outcome.verdict.detail)
        writer.member("rule", rule(of: outcome))
        if !outcome.warnings.isEmpty { writer.member("warnings", outcome.warnings) }
        writer.endObject()
    }

    private func writeCategories(of event: NewsEvent, to writer: inout JSONWriter) {
        let route = configuration.news.route(of: event)
        writer.member("categories", objects: route.matches) { writer, match in
            writer.member("code", match.code)
            writer.member("category", match.category)
            if match.via != match.code { writer.member("via", match.via) }
            writer.member("rule", rule(ofCategory: match.category, via: match.via))
        }
        if !route.unknown.isEmpty { writer.member("unknown", route.unknown) }
        if !route.retired.isEmpty { writer.member("retired", route.retired) }
        if !route.narrowed.isEmpty { writer.member("narrowed", route.narrowed) }
    }

    private func write(_ telling: RehearsedPush, to writer: inout JSONWriter) throws {
        writer.member("interruption", telling.interruption?.rawValue)
        if telling.goesToTold { writer.member("audienceFrom", telling.audienceFrom) }
        writer.member("texts", objects: telling.texts) { writer, text in
            writer.member("locale", text.locale)
            writer.member("textFrom", text.textFrom)
            writer.member("text", text.headline)
            writer.member("rule", rule(of: text, in: telling))
            writer.member("truncated", text.isTruncated)
        }
        writer.name("requests")
        writer.beginArray()
        for send in telling.sends {
            guard let client = clients[send.hub] else { continue }
            let request = try client.request(for: send.message, to: .tags(send.expression))
            writer.beginObject()
            writer.member("hub", send.hub)
            RenderedRequest(send: send, request: request).write(to: &writer)
            writer.endObject()
        }
        writer.endArray()
    }
}
