import Kafka
import Publishing
import StrictJSON
import Timestamps

/// The headers of a dead letter. Its body is read only when needed.
struct DeadLetterEntry: Sendable, Equatable {
    let place: DeadLetterPosition
    /// The reason code, such as `invalid.unmapped`.
    let reason: String
    let detail: String?
    /// The stage at which the event ended.
    let stage: String
    /// The position of the original.
    let origin: RecordOrigin
    let at: Timestamp
    let group: String?
    let event: String?
    let story: String?
    let revision: Int64?
    let target: String?
    /// The number of earlier redrives.
    let redrives: Int
    /// The dead letter whose redriven copy failed again, in the format of ``RedriveHeader/letter``.
    let copyOf: String?
    /// Whether the original was too large for the topic and is incomplete here.
    let isCut: Bool

    /// The event in words, or the position of the original if the event is unknown.
    var name: String {
        let event = event.map { "event \($0)" } ?? "no readable event, from \(origin.partition) offset \(origin.offset)"
        return story.map { "\(event), story \($0)" } ?? event
    }

    /// Writes the dead letter as members of the object that was begun.
    func write(into writer: inout JSONWriter) {
        writer.member("letter", place.description)
        writer.member("reason", reason)
        writer.member("detail", detail)
        writer.member("stage", stage)
        writer.member("at", at.rfc3339)
        writer.member("event", event)
        writer.member("story", story)
        writer.member("revision", revision)
        writer.member("target", target)
        writer.name("origin")
        writer.beginObject()
        writer.member("topic", origin.partition.topic)
        writer.member("partition", Int64(origin.partition.number))
        writer.member("offset", origin.offset)
        writer.endObject()
        writer.member("group", group)
        writer.member("redrives", Int64(redrives))
        if isCut {
            writer.name("cut")
            writer.value(true)
        }
    }
}

extension DeadLetterEntry {
    /// Decodes the headers of a record; `nil` if the record is not a dead letter of newsflash.
    ///
    /// - Parameter message: A record of the topic of dead letters.
    init?(_ message: KafkaMessage) {
        let headers = LetterHeaders(message.headers)
        guard headers.text("v") == "1", let reason = headers.text("reason"), let stage = headers.text("stage"),
            let topic = headers.text("topic"),
            let partition = headers.text("partition").flatMap({ Int32($0) }), partition >= 0,
            let offset = headers.text("offset").flatMap({ Int64($0) }), offset >= 0,
            let at = headers.text("at").flatMap({ Timestamp(rfc3339: $0) }) ?? message.timestamp
        else { return nil }
        place = DeadLetterPosition(message)
        self.reason = reason
        detail = headers.text("detail")
        self.stage = stage
        origin = RecordOrigin(
            partition: SourcePartition(topic: topic, number: partition),
            offset: offset,
            timestamp: headers.text("timestamp").flatMap { Timestamp(rfc3339: $0) }
        )
        self.at = at
        group = headers.text("group")
        event = headers.text("event")
        story = headers.text("story")
        revision = headers.text("revision").flatMap { Int64($0) }
        target = headers.text("target")
        redrives = headers.text("redrives").flatMap { Int($0) }.map { max(0, $0) } ?? 0
        copyOf = message.headers.last { $0.name == RedriveHeader.letter }?.value.map {
            String(decoding: $0, as: UTF8.self)
        }
        // A null value is never a dead letter. An empty value is a complete dead letter only for this reason.
        isCut = message.withValue { value in
            if let value { value.isEmpty && reason != "invalid.empty" } else { true }
        }
    }
}

/// The headers of a dead letter. After a redrive a header may occur twice; the last one counts.
struct LetterHeaders {
    private var values: [String: String] = [:]

    init(_ headers: [KafkaHeader]) {
        for header in headers where header.name.hasPrefix(DeadLetter.headerPrefix) {
            guard let value = header.value else { continue }
            values[header.name] = String(decoding: value, as: UTF8.self)
        }
    }

    /// Returns the text of a header.
    ///
    /// - Parameter name: The name without the prefix.
    /// - Returns: `nil` if the header is absent.
    func text(_ name: String) -> String? { values[DeadLetter.headerPrefix + name] }
}
