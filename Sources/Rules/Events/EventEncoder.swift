import NewsflashStrictJSON
import NewsflashTimestamps

/// Encodes events as JSON that ``EventDecoder`` decodes to equal events.
package enum EventEncoder {
    /// Encodes one event on one line.
    ///
    /// Defaults are left out: the urgency of the kind, mode `live`, delivery `open`, empty lists.
    ///
    /// - Parameter event: Not checked; the caller ensures that it fits the schema.
    /// - Returns: UTF-8 without white space.
    package static func encode(_ event: NewsEvent) -> [UInt8] {
        JSONWriter.object(reservingCapacity: 512) { writer in
            writer.member("v", 1)
            writer.member("id", event.id)
            writer.member("source", event.source)
            writer.member("story", event.story)
            writer.member("revision", event.revision)
            writer.member("kind", event.kind.rawValue)
            if event.urgency != event.kind.defaultUrgency {
                writer.member("urgency", event.urgency)
            }
            writer.member("published", exact(event.published))
            writer.member("embargo", event.embargo.map(exact))
            writer.member("expires", event.expires.map(exact))
            if !event.users.isEmpty {
                writer.name("audience")
                writer.beginObject()
                writer.member("users", event.users)
                writer.endObject()
            }
            writer.member("delivery", event.delivery == .open ? nil : event.delivery.rawValue)
            writer.member("categories", unlessEmpty: event.categories)
            writer.member("language", event.language)
            writer.member("text", event.text)
            writer.member("url", event.url)
            writer.member("image", event.image)
            writer.member("approvedBy", unlessEmpty: event.approvedBy)
            writer.member("mode", event.mode == .live ? nil : event.mode.rawValue)
            writer.member("note", event.note)
        }
    }

    /// The instant with milliseconds, or with nanoseconds if it is not a whole number of milliseconds.
    private static func exact(_ instant: Timestamp) -> String {
        let milliseconds = instant.rfc3339
        let remainder = instant.nanoseconds % 1_000_000
        let rest = remainder < 0 ? remainder + 1_000_000 : remainder
        guard rest != 0 else { return milliseconds }
        let digits = String(rest)
        return milliseconds.dropLast() + String(repeating: "0", count: 6 - digits.utf8.count) + digits + "Z"
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, unlessEmpty values: [String]) {
        if !values.isEmpty { member(name, values) }
    }

    fileprivate mutating func member(_ name: StaticString, _ texts: [EventText]) {
        guard !texts.isEmpty else { return }
        self.name(name)
        beginObject()
        for text in texts {
            self.name(text.language)
            beginObject()
            member("headline", text.headline)
            member("summary", text.summary)
            endObject()
        }
        endObject()
    }
}

/// A header of a Kafka record.
package struct EventHeader: Sendable, Equatable {
    /// The key, which is case-sensitive; several headers may have the same key.
    package var name: String
    /// The bytes; `nil` if the header has a null value.
    package var value: [UInt8]?

    package init(name: String, value: [UInt8]?) {
        self.name = name
        self.value = value
    }
}

extension [EventHeader] {
    /// The text of the last header with this name; `nil` if it is absent, null, empty or not UTF-8.
    func text(_ name: String) -> String? {
        guard let value = last(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        return String(validating: value, as: UTF8.self)
    }
}
