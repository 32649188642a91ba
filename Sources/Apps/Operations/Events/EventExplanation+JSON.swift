import NewsflashEvents
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashWorker

extension EventExplanation {
    /// The explanation as one line of JSON: an object with the event, its decisions, categories, texts and requests, each with
    /// the line of its rule.
    package var json: [UInt8] {
        JSONWriter.object(reservingCapacity: 4096) { writer in
            writer.member("place", place)
            writer.member("appendAt", record.appendedAt.rfc3339)
            switch record.content {
            case .event(let event, warnings: _): write(event, to: &writer)
            case .rejected(let rejection):
                writer.member("id", rejection.id)
                writer.member("story", rejection.story)
            case .tombstone: break
            }
            writer.member("decisions", each: record.outcomes) { writer, outcome in write(outcome, to: &writer) }
            writer.member("remark", record.telling?.remarkOnCategories)
            writer.member("presently", presently?.line)
            if case .event(let event, warnings: _) = record.content { writeCategories(of: event, to: &writer) }
            if let telling = record.telling { write(telling, to: &writer) }
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

    private func write(_ telling: RehearsedPush, to writer: inout JSONWriter) {
        writer.member("interruption", telling.interruption?.rawValue)
        if telling.goesToTold { writer.member("audienceFrom", telling.audienceFrom) }
        writer.member("texts", objects: telling.texts) { writer, text in
            writer.member("locale", text.locale)
            writer.member("textFrom", text.textFrom)
            writer.member("text", text.headline)
            writer.member("rule", rule(of: text, in: telling))
            writer.member("truncated", text.isTruncated)
        }
        writer.member("requests", objects: requests) { writer, request in
            writer.member("hub", request.send.hub)
            request.write(to: &writer)
        }
    }
}
