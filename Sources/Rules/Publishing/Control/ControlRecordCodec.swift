import StrictJSON
import Timestamps

/// Writes and reads the records of the control topic: JSON, for programs and for people with `kcat`.
///
/// ```json
/// {"v":1,"act":"hold","source":"https://cms.example.org/desk","by":"ed:novak","reason":"the CMS was broken into",
///  "at":"2026-03-02T08:40:00.050Z"}
/// ```
///
/// The key is ``HoldScope/key``. Without `source` the act is on all sources; without `by` a worker's brake has given it.
package enum ControlRecordCodec {
    /// What an order may say of itself at most, in bytes of UTF-8.
    package static let longestReason = 1024
    private static let longestName = 256

    /// Writes a record.
    package static func encode(_ record: ControlRecord) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("v", Int64(1))
        writer.member("act", record.act.rawValue)
        if let source = record.scope.source { writer.member("source", source) }
        if case .person(let name) = record.author { writer.member("by", name) }
        writer.member("reason", record.reason.prefixOfUTF8(longestReason))
        writer.member("at", record.at.rfc3339)
        writer.endObject()
        return writer.takeBytes()
    }

    /// Reads a record.
    ///
    /// - Parameter value: The whole value.
    /// - Returns: The order.
    /// - Throws: What is wrong with it, and where.
    package static func decode(_ value: Span<UInt8>) throws(ControlRecordError) -> ControlRecord {
        try record(try document(value))
    }

    /// Reads what every record of the topic has.
    static func document(_ value: Span<UInt8>) throws(ControlRecordError) -> JSONValue {
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONReader.read(value)
        } catch {
            throw ControlRecordError("\(error.path): \(error.message) at byte \(error.offset)")
        }
        guard document[member: "v"]?.int64 == 1 else {
            throw ControlRecordError("/v: must be 1: other versions of the record are not known")
        }
        return document
    }

    /// Reads a record that is JSON.
    static func record(_ document: JSONValue) throws(ControlRecordError) -> ControlRecord {
        guard let act = document[member: "act"]?.string.flatMap(ControlRecord.Act.init) else {
            throw ControlRecordError("/act: must be hold or release")
        }
        let at = try time("at", in: document)
        let name = try text("by", in: document)
        return ControlRecord(
            act,
            try text("source", in: document).map(HoldScope.source) ?? .all,
            by: name.map(ControlRecord.Author.person) ?? .brake,
            reason: (document[member: "reason"]?.string ?? "").prefixOfUTF8(longestReason),
            at: at
        )
    }

    /// Reads an instant.
    static func time(_ name: String, in document: JSONValue) throws(ControlRecordError) -> Timestamp {
        guard let time = document[member: name]?.string.flatMap({ Timestamp(rfc3339: $0) }) else {
            throw ControlRecordError("/\(name): must be a date-time of RFC 3339")
        }
        return time
    }

    private static func text(
        _ name: String,
        in document: JSONValue
    ) throws(ControlRecordError) -> String? {
        guard let value = document[member: name] else { return nil }
        guard let text = value.string, !text.isEmpty, text.utf8.count <= longestName else {
            throw ControlRecordError("/\(name): must be a text of 1 to \(longestName) bytes")
        }
        return text
    }
}

/// A record of the control topic that is no order.
package struct ControlRecordError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
