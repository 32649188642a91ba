import Kafka
import Publishing
import StrictJSON
import Timestamps

/// What the headers of a dead letter say; its body is read only where it is needed.
struct Letter: Sendable, Equatable {
    let place: LetterPlace
    /// Such as `invalid.unmapped`.
    let reason: String
    let detail: String?
    /// Where in its way the event ended.
    let stage: String
    /// Where the original stood.
    let origin: RecordOrigin
    let at: Timestamp
    let group: String?
    let event: String?
    let story: String?
    let revision: Int64?
    let target: String?
    /// How often it was sent again before.
    let redrives: Int
    /// The letter of which it is a copy that failed again, as ``RedriveHeader/letter`` names it.
    let copyOf: String?
    /// Whether the topic was too small for it, so that the original is not whole here.
    let isCut: Bool

    /// Its event, or the place where it stood if it has no name.
    var name: String {
        let event = event.map { "event \($0)" } ?? "no readable event, from \(origin.partition) offset \(origin.offset)"
        return story.map { "\(event), story \($0)" } ?? event
    }

    /// Writes what it says as members of the object begun.
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

extension Letter {
    /// Reads the headers of a record; nothing where it is none of ours.
    ///
    /// - Parameter message: Of the topic of dead letters.
    init?(_ message: KafkaMessage) {
        let headers = LetterHeaders(message.headers)
        guard headers.text("v") == "1", let reason = headers.text("reason"), let stage = headers.text("stage"),
            let topic = headers.text("topic"),
            let partition = headers.text("partition").flatMap({ Int32($0) }), partition >= 0,
            let offset = headers.text("offset").flatMap({ Int64($0) }), offset >= 0,
            let at = headers.text("at").flatMap({ Timestamp(rfc3339: $0) }) ?? message.timestamp
        else { return nil }
        place = LetterPlace(message)
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
        // A null value is never a dead letter, and an empty one is one for this reason only.
        isCut = message.withValue { value in
            if let value { value.isEmpty && reason != "invalid.empty" } else { true }
        }
    }
}

/// The headers of a dead letter. A record that was dead before has them twice, and the last ones count.
struct LetterHeaders {
    private var values: [String: String] = [:]

    init(_ headers: [KafkaHeader]) {
        for header in headers where header.name.hasPrefix(DeadLetter.headerPrefix) {
            guard let value = header.value else { continue }
            values[header.name] = String(decoding: value, as: UTF8.self)
        }
    }

    /// The text of a header.
    ///
    /// - Parameter name: Without the prefix.
    /// - Returns: Nothing where it is absent.
    func text(_ name: String) -> String? { values[DeadLetter.headerPrefix + name] }
}
