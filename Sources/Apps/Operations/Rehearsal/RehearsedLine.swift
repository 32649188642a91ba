import Basics
package import NewsEvents
package import NotificationHubs
import Planning
import Publishing
import Rendering
import Routing
import StrictJSON
package import Timestamps
package import Worker

/// The result of a rehearsal for one record, as a line of JSON.
package struct RehearsedLine {
    package let line: Int
    /// The file; `nil` if there is only one.
    package let file: String?
    package let record: RehearsedRecord
    package let configuration: WorkerConfiguration
    /// The clients of the hubs, if requests are shown byte for byte.
    package let clients: [String: HubClient]?

    /// The line without its line end.
    ///
    /// - Throws: `HubError`, which sends to tags do not cause.
    package func json() throws -> [UInt8] {
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

/// A record of a topic as a line that ``RehearsalFiles`` reads: `{"appendAt":…,"source":…,"key":…,"headers":…,"value":…}`.
package struct RecordLine: Sendable {
    /// The record's timestamp; `nil` if it has none.
    package var appendAt: Timestamp?
    /// The name of the source; `nil` if there is only one source.
    package var source: String?
    package var key: [UInt8]?
    package var headers: [EventHeader]
    /// `nil` for a tombstone.
    package var value: [UInt8]?

    /// The line without its line end. The headers are an object, or a list of pairs if a name occurs twice.
    package var json: [UInt8] {
        JSONWriter.object(reservingCapacity: 256 + (value?.count ?? 0)) { writer in
            writer.member("appendAt", appendAt?.rfc3339)
            writer.member("source", source)
            writer.member("key", key.map(BytesText.text))
            if !headers.isEmpty { write(headers, to: &writer) }
            writer.name("value")
            writer.value(orNull: value)
        }
    }

    private func write(_ headers: [EventHeader], to writer: inout JSONWriter) {
        let isObject = Set(headers.map(\.name)).count == headers.count
        writer.name("headers")
        if isObject { writer.beginObject() } else { writer.beginArray() }
        for header in headers {
            if isObject {
                writer.name(header.name)
            } else {
                writer.beginArray()
                writer.value(header.name)
            }
            writer.value(orNull: header.value)
            if !isObject { writer.endArray() }
        }
        if isObject { writer.endObject() } else { writer.endArray() }
    }
}

/// Bytes as a JSON string: as they are if they are UTF-8, otherwise as hexadecimal digits after `hex:`, such as `hex:00ff`.
package enum BytesText {
    private static let mark = "hex:"

    /// Returns the text of bytes. Bytes that begin with `hex:` are also written as digits, so that they can be read back.
    package static func text(of bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix(mark) { return text }
        let digits = bytes.flatMap { byte in [byte >> 4, byte & 15].map { Array("0123456789abcdef".utf8)[Int($0)] } }
        return mark + String(decoding: digits, as: UTF8.self)
    }

    /// Returns the bytes of a text: those of the digits after `hex:`, or the UTF-8 of any other text.
    package static func bytes(of text: String) -> [UInt8] {
        guard text.hasPrefix(mark) else { return Array(text.utf8) }
        let digits = text.utf8.dropFirst(mark.utf8.count).map(\.hexadecimalValue)
        guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0 != nil }) else { return Array(text.utf8) }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8((digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0)) }
    }
}

extension JSONWriter {
    fileprivate mutating func value(orNull bytes: [UInt8]?) {
        if let bytes { value(BytesText.text(of: bytes)) } else { null() }
    }
}
