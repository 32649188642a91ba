import NewsflashEvents
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
import NewsflashStrictJSON
import NewsflashTimestamps
package import NewsflashWorker
import NotificationHubs

/// The result of a rehearsal for one record, as a line of JSON.
struct RehearsedLine {
    let line: Int
    /// The file; `nil` if there is only one.
    let file: String?
    let record: RehearsedRecord
    let configuration: WorkerConfiguration
    /// The clients of the hubs, if requests are shown byte for byte.
    let clients: [String: HubClient]?

    /// The line without its line end.
    ///
    /// - Throws: `HubError`, which sends to tags do not cause.
    func json() throws -> [UInt8] {
        try JSONWriter.object(reservingCapacity: 1024) { writer in
            writer.member("line", Int64(line))
            writer.member("file", file)
            if configuration.sources.count > 1 { writer.member("source", record.source) }
            if let id = record.id { writer.member("id", id) }
            writer.member("appendAt", record.appendedAt.rfc3339)
            writeDecision(to: &writer)
            if let telling = record.telling { write(telling, to: &writer) }
            if let warnings = record.last?.warnings ?? record.first?.warnings, !warnings.isEmpty {
                writer.member("warn", warnings)
            }
            writer.member("detail", record.first?.verdict.detail)
            try writeRequests(to: &writer)
            writeCircuits(to: &writer)
        }
    }

    private func writeDecision(to writer: inout JSONWriter) {
        guard let first = record.first else {
            // A record without a value, which the worker skips.
            writer.member("outcome", "skipped")
            writer.member("reason", "skipped.tombstone")
            return writer.member("final", true)
        }
        writer.member("outcome", first.verdict.outcome.rawValue)
        writer.member("reason", first.verdict.reason)
        writer.member("final", first.isFinal)
        guard !first.isFinal, let last = record.last else { return }
        writer.member("then", last.verdict.outcome.rawValue)
        writer.member("thenReason", last.verdict.reason)
        writer.member("thenAt", last.at.rfc3339)
    }

    private func write(_ telling: RehearsedPush, to writer: inout JSONWriter) {
        writer.member("categoryTags", configuration.inOrder(telling.sends.flatMap(\.categories)))
        if !telling.userTags.isEmpty { writer.member("userTags", telling.userTags) }
        if telling.isSecure { writer.member("delivery", EventDelivery.secure.rawValue) }
        writer.member("interruption", telling.interruption?.rawValue)
        writer.member("textFrom", telling.texts.map { ($0.locale, $0.textFrom) })
        writer.member("truncated", telling.truncated)
        writer.member("rendered", telling.texts.map { ($0.locale, $0.headline) })
        if telling.isSilenced { writer.member("capped", true) }
        writer.member(
            "hub",
            Set(telling.sends.map(\.hub)).sorted().joined(separator: ",")
        )
        writer.member("template", telling.sends.first?.template)
        if telling.goesToTold { writer.member("audienceFrom", telling.audienceFrom.joined(separator: ",")) }
    }

    /// Writes each request with the hub's response.
    private func writeRequests(to writer: inout JSONWriter) throws {
        guard clients != nil || !record.requests.isEmpty else { return }
        writer.name("requests")
        writer.beginArray()
        for sent in record.requests {
            writer.beginObject()
            writer.member("hub", sent.hub)
            writer.member("number", Int64(sent.number))
            writer.member("at", sent.at.rfc3339)
            writer.member("answer", sent.answer.description)
            if sent.times > 1 {
                writer.member("times", Int64(sent.times))
                writer.member("lastAt", sent.lastAt.rfc3339)
            }
            let send = sent.send
            if let client = clients?[send.hub] {
                let request = try client.request(for: send.message, to: .tags(send.expression))
                RenderedRequest(send: send, request: request).write(to: &writer)
            } else {
                writer.member("tags", send.expression.tags.map(\.description))
                writer.member("locale", send.locale)
                writer.member("template", send.template)
            }
            writer.endObject()
        }
        writer.endArray()
    }

    /// Writes the circuits that opened or closed.
    private func writeCircuits(to writer: inout JSONWriter) {
        guard !record.circuits.isEmpty else { return }
        writer.member("circuits", objects: record.circuits) { writer, circuit in
            writer.member("hub", circuit.hub)
            writer.member("at", circuit.at.rfc3339)
            writer.member("circuit", circuit.reason == nil ? "closed" : "open")
            writer.member("reason", circuit.reason?.rawValue)
        }
    }
}

extension RehearsedRecord {
    /// The event's id; `nil` if it could not be decoded.
    package var id: String? {
        switch content {
        case .event(let event, warnings: _): event.id
        case .rejected(let rejection): rejection.id
        case .tombstone: nil
        }
    }
}

extension WorkerConfiguration {
    /// Removes duplicate categories and sorts them: first those of the configuration in its order, then those of families.
    fileprivate func inOrder(_ categories: [String]) -> [String] {
        let places = Dictionary(
            news.categories.categories.enumerated().map { ($1, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return Set(categories).sorted { left, right in
            (places[left] ?? .max, left) < (places[right] ?? .max, right)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        self.value(value)
    }

    fileprivate mutating func member(_ name: StaticString, _ pairs: [(String, String)]) {
        self.name(name)
        beginObject()
        for (key, value) in pairs { member(key, value) }
        endObject()
    }
}
