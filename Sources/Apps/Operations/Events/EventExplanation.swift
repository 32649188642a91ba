import NewsflashEvents
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
import NewsflashTimestamps
package import NewsflashWorker

/// The reasons for the outcome of a record, with the lines of the rules in the configuration.
package struct EventExplanation {
    /// The file and line of the record.
    package let place: String
    package let record: RehearsedRecord
    /// The requests, in the order of the audiences.
    package let requests: [RenderedRequest]
    let configuration: WorkerConfiguration
    let places: ConfigurationPlaces
    /// The verdict if the event arrived now; `nil` if it is the same.
    let presently: EventVerdict?

    /// Explains a record of a rehearsal.
    ///
    /// - Parameters:
    ///   - record: The record with its outcomes.
    ///   - place: Its file and line.
    ///   - explainer: The rules.
    init(of record: RehearsedRecord, at place: String, by explainer: EventExplainer) {
        self.place = place
        self.record = record
        configuration = explainer.configuration
        places = explainer.places
        requests = record.telling.map { explainer.requests(of: $0) } ?? []
        presently = record.telling.flatMap {
            explainer.configuration.publishing.policy.verdict(on: $0.event, arrivingAt: explainer.now)
        }
    }

    /// Whether the record would become a dead letter.
    var isInvalid: Bool { record.last?.verdict.isDeadLetter ?? false }

    /// The number of notifications that push services would reject.
    package var faults: Int { requests.reduce(0) { $0 + $1.notifications.count { $0.fault != nil } } }

    /// The explanation as text for people: what would happen, why, and what would be sent.
    ///
    /// - Parameter showsRequests: Whether the requests are shown with headers and bodies. The notifications of templates are
    ///   always shown.
    /// - Returns: Paragraphs, of which the first line says what would happen.
    package func text(showsRequests: Bool = false) -> String {
        guard case .event(let event, warnings: _) = record.content else {
            var lines = record.outcomes.compactMap(rule)
            if let warnings = record.last?.warnings, !warnings.isEmpty {
                lines.append("warnings: " + warnings.joined(separator: ", "))
            }
            return paragraph(summary, lines)
        }
        let facts = "\(event.kind.rawValue), revision \(event.revision) of \(event.story), from \(event.source)"
        let lines =
            [facts] + reader + times(of: event) + record.outcomes.map(line) + loudness + secrecy(of: event) + surprises
        var paragraphs = [paragraph(summary, lines), paragraph("categories", categories(of: event))]
        if let push = record.telling {
            paragraphs += [paragraph("audiences", audiences(of: push)), paragraph("texts", texts(of: push))]
        }
        for (index, request) in requests.enumerated() {
            if showsRequests {
                let heading = "request \(index + 1) of \(requests.count): \(request.send.hub), \(request.audience)"
                paragraphs.append("\(heading)\n\(request.text)")
            }
            if !request.notifications.isEmpty { paragraphs.append(request.textOfDevices) }
        }
        return paragraphs.joined(separator: "\n\n")
    }

    /// The place, the event and its outcome on one line.
    private var summary: String {
        let name = record.id.map { "\(place): \($0)" } ?? place
        guard let first = record.first?.verdict else { return "\(name): has no value, so a worker skips it" }
        let wait = record.first?.isFinal == true ? nil : first.reason ?? first.outcome.rawValue
        guard let last = record.last?.verdict else {
            return "\(name): would wait: \(first.line)"
        }
        guard record.telling != nil else {
            guard let wait else { return "\(name): would not be sent: \(last.withMeaningOfHold.line)" }
            return "\(name): would wait (\(wait)), and then would not be sent: \(last.line)"
        }
        let requests = "with \(counted(requests.count, "request"))"
        guard let wait, let end = record.last?.at else { return "\(name): would be sent, \(requests)" }
        return "\(name): would wait (\(wait)), and be sent at \(end.rfc3339), \(requests)"
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
        let arrival = record.appendedAt
        var lines = [
            arrival == event.published
                ? "treated as if it arrived when it was published, at \(arrival.rfc3339)"
                : "treated as if it arrived at \(arrival.rfc3339); published at \(event.published.rfc3339)"
        ]
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
    func rule(of outcome: OutcomeRecord) -> String? {
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
        case "held.volume_limit": places.place(of: ["policy", "volumeLimits"])
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

    /// Remarks that may surprise the sender.
    private var surprises: [String] {
        var lines: [String] = []
        if let remark = record.telling?.remarkOnCategories { lines.append("note: \(remark)") }
        if let presently { lines.append("if it arrived now: \(presently.line)") }
        return lines
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
    func rule(ofCategory category: String, via code: String) -> String {
        places.place(of: ["categories", code], ["categories", category])
    }

    private func audiences(of telling: RehearsedPush) -> [String] {
        var lines = requests.map { "\($0.send.hub), \($0.send.platform): \($0.audience)" }
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
    func rule(of text: RehearsedPush.Text, in telling: RehearsedPush) -> String {
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

extension [EventExplanation] {
    /// The problems of the events in one sentence; `nil` without problems.
    package var problems: String? {
        let invalid = count(where: \.isInvalid)
        let faults = reduce(0) { $0 + $1.faults }
        var parts: [String] = []
        if invalid > 0 { parts.append("\(invalid) of \(counted(count, "event")) would be a dead letter") }
        if faults > 0 { parts.append("\(counted(faults, "notification")) would not arrive") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ") + "; see the reasons above"
    }
}
