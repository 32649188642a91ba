import NewsEvents
import NotificationHubs
import Planning
import Publishing
import Rendering
import Routing
import StrictJSON
import Timestamps
import Worker

extension EventExplanation {
    /// Returns the explanation as JSON: an object with the event, its decisions, categories, texts and requests, each with
    /// the line of its rule.
    ///
    /// - Parameter place: The position of the record.
    /// - Returns: One line.
    /// - Throws: `HubError`, which cannot occur for template sends to tags.
    func json(place: String) throws -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 4096)
        writer.beginObject()
        writer.member("place", place)
        writer.member("appendAt", record.appendedAt.rfc3339)
        if case .event(let event, warnings: _) = record.content { write(event, to: &writer) }
        writer.name("decisions")
        writer.beginArray()
        for outcome in record.outcomes { write(outcome, to: &writer) }
        writer.endArray()
        if case .event(let event, warnings: _) = record.content { writeCategories(of: event, to: &writer) }
        if let telling = record.telling { try write(telling, to: &writer) }
        writer.endObject()
        return writer.bytes
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
        writer.name("categories")
        writer.beginArray()
        for match in route.matches {
            writer.beginObject()
            writer.member("code", match.code)
            writer.member("category", match.category)
            if match.via != match.code { writer.member("via", match.via) }
            writer.member("rule", rule(ofCategory: match.category, via: match.via))
            writer.endObject()
        }
        writer.endArray()
        if !route.unknown.isEmpty { writer.member("unknown", route.unknown) }
        if !route.retired.isEmpty { writer.member("retired", route.retired) }
        if !route.narrowed.isEmpty { writer.member("narrowed", route.narrowed) }
    }

    private func write(_ telling: RehearsedPush, to writer: inout JSONWriter) throws {
        writer.member("interruption", telling.interruption?.rawValue)
        if telling.goesToTold { writer.member("audienceFrom", telling.audienceFrom) }
        writer.name("texts")
        writer.beginArray()
        for text in telling.texts {
            writer.beginObject()
            writer.member("locale", text.locale)
            writer.member("textFrom", text.textFrom)
            writer.member("text", text.headline)
            writer.member("rule", rule(of: text, in: telling))
            writer.name("truncated")
            writer.value(text.isTruncated)
            writer.endObject()
        }
        writer.endArray()
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
