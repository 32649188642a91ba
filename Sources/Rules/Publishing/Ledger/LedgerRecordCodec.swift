import NewsEvents
import NotificationHubs
import Signing
import StrictJSON
import Timestamps

/// Writes and reads the records of the ledger topic: JSON, one record a story, for programs and for people with `kcat`.
///
/// ```json
/// {"v":2,"story":"quake-42","revision":2,"event":"e-7","source":"desk","kind":"update","digest":"00c0ffee00c0ffee",
///  "changed":"2026-03-02T08:40:00.050Z","processed":{"through":4711},"words":4711,
///  "audiences":[{"hub":"main","format":"template","tags":"world","act":"5be0c2a7e4f1d309","kind":"update","revision":2,
///                "at":"2026-03-02T08:40:00.012Z"}],
///  "sum":"8f5b7c1d20e3a496"}
/// ```
///
/// - `v` is the version; a reader refuses one that it does not know. Members that it does not know are passed over.
/// - `phase` is absent for an open story; `final` unless a repeat of the latest act may be sent; `secure` unless no words may
///   travel; `users` for an audience by categories; and lists if they are empty.
/// - `audiences` has the facts: `certainty` is `accepted` if it is absent, or `possible`, `suspected` or `owed`
///   (``AudienceFact``). `act` names the event by a sum over its id and source, for kills and holds also over the kind.
/// - `earlier` names acts before `event`, `begun` acts that a hub accepted and that have not ended, and `pushes` the latest
///   notifications, for caps and volume limits.
/// - `waiting` has key, value and headers of source records as strings if they are UTF-8, otherwise as `key_base64`,
///   `value_base64`. A key or header value that was null is absent.
/// - `sum` is last: a hash of all bytes up to the comma before it, which shows a damaged record. A record without
///   it is read all the same, so that a person can write one.
package enum LedgerRecordCodec {
    /// The version that is written and the only one that is read.
    package static let version: Int64 = 2

    /// Writes a record.
    ///
    /// - Parameters:
    ///   - record: The facts.
    ///   - story: The story, which is the record's key as well.
    /// - Returns: The record's value.
    package static func encode(_ record: StoryFacts, of story: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(record, of: story, to: &bytes)
        return bytes
    }

    /// Writes a record behind other bytes, without an array of its own.
    ///
    /// - Parameters:
    ///   - record: Whole, as for ``encode(_:of:)``.
    ///   - story: The story.
    ///   - bytes: Where the record's value goes.
    package static func append(_ record: StoryFacts, of story: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(expecting: 1024) { record.write(of: story, into: &$0) }
        append(record.waiting, to: &bytes)
        // The sum stands behind everything, and over the comma before it.
        bytes.append(UInt8(ascii: ","))
        let sum = ByteSum.of(bytes.span.extracting(droppingFirst: start))
        bytes.append(expecting: 32) { output in
            output.write(#""sum":"#, hexadecimal: sum)
            output.write("}")
        }
    }

    /// Appends what waits: whole source records, which may be long.
    private static func append(_ waiting: [StoryFacts.Waiting], to bytes: inout [UInt8]) {
        guard !waiting.isEmpty else { return }
        bytes.append(UInt8(ascii: ","))
        var writer = JSONWriter(appendingTo: bytes)
        bytes = []
        writer.list("waiting", waiting, write(waiting:into:))
        bytes = writer.takeBytes()
    }

    private static func write(waiting: StoryFacts.Waiting, into writer: inout JSONWriter) {
        writer.member("offset", waiting.offset)
        writer.member("timestamp", waiting.timestamp)
        writer.member("consumed", waiting.consumedAt)
        writer.member("until", waiting.until)
        writer.member("reason", waiting.reason.rawValue)
        writer.member("source", waiting.source)
        if !waiting.hubs.isEmpty {
            writer.name("hubs")
            writer.beginArray()
            for hub in waiting.hubs { writer.value(hub) }
            writer.endArray()
        }
        writer.member("attempts", Int64(waiting.attempts))
        writer.bytes("key", waiting.key)
        writer.bytes("value", waiting.value)
        writer.list("headers", waiting.headers) { header, writer in
            writer.member("name", header.name)
            writer.bytes("value", header.value)
        }
    }
}

extension JSONWriter {
    /// Writes a member, or nothing where there is no value.
    fileprivate mutating func member(_ name: StaticString, _ value: Timestamp?) {
        guard let value else { return }
        member(name, plainAtMost: Timestamp.lengthOfExact) { value.appendExact(to: &$0) }
    }

    /// Writes bytes as a string where they are one, else in base 64 under a name that says so.
    fileprivate mutating func bytes(_ name: String, _ bytes: [UInt8]?) {
        guard let bytes else { return }
        if let text = String(validating: bytes, as: UTF8.self) {
            self.name(name)
            value(text)
        } else {
            self.name(name + "_base64")
            value(Base64.encode(bytes))
        }
    }

    /// Writes an array of objects, or nothing where there is none.
    fileprivate mutating func list<Element>(
        _ name: StaticString,
        _ elements: [Element],
        _ members: (Element, inout JSONWriter) -> Void
    ) {
        guard !elements.isEmpty else { return }
        self.name(name)
        beginArray()
        for element in elements {
            beginObject()
            members(element, &self)
            endObject()
        }
        endArray()
    }
}
