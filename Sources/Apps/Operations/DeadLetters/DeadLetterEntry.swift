import NewsflashBasics
import NewsflashEvents
package import NewsflashKafka
package import NewsflashPublishing
package import NewsflashStrictJSON
package import NewsflashTimestamps
import NewsflashTopicPartitions
package import NewsflashWorker

/// The headers of a dead letter. Its body is read only when needed.
package struct DeadLetterEntry: Sendable, Equatable {
    package let place: DeadLetterPosition
    /// The reason code, such as `invalid.unmapped`.
    package let reason: String
    package let detail: String?
    /// The stage at which the event ended.
    package let stage: String
    /// The position of the original.
    package let origin: RecordOrigin
    package let at: Timestamp
    package let group: String?
    package let event: String?
    package let story: String?
    package let revision: Int64?
    package let target: String?
    /// The number of earlier redrives.
    package let redrives: Int
    /// The dead letter whose redriven copy failed again, in the format of ``RedriveHeader/letter``.
    let copyOf: String?
    /// Whether the original was too large for the topic and is incomplete here.
    let isCut: Bool

    /// The event in words, or the position of the original if the event is unknown.
    package var name: String {
        let event = event.map { "event \($0)" } ?? "no readable event, from \(origin.partition) offset \(origin.offset)"
        return story.map { "\(event), story \($0)" } ?? event
    }

    /// Writes the dead letter as members of the object that was begun.
    package func write(into writer: inout JSONWriter) {
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
        writer.member("partition", Int64(origin.partition.partition))
        writer.member("offset", origin.offset)
        writer.endObject()
        writer.member("group", group)
        writer.member("redrives", Int64(redrives))
        if isCut {
            writer.member("cut", true)
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
            partition: TopicPartition(topic: topic, partition: partition),
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

/// The position of a dead letter in its topic, such as `3@4711`.
package struct DeadLetterPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
    package var partition: Int32
    package var offset: Int64

    package init(partition: Int32, offset: Int64) {
        self.partition = partition
        self.offset = offset
    }

    package init(_ message: KafkaMessage) {
        self.init(partition: message.topicPartition.partition, offset: message.offset)
    }

    package var description: String { "\(partition)@\(offset)" }

    package static func < (left: DeadLetterPosition, right: DeadLetterPosition) -> Bool {
        (left.partition, left.offset) < (right.partition, right.offset)
    }
}

extension DeadLetterPosition {
    /// Parses a position.
    ///
    /// - Parameter text: A partition and an offset, such as `3@4711`.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let partition = Int32(parts[0]), let offset = Int64(parts[1]) else { return nil }
        guard partition >= 0, offset >= 0 else { return nil }
        self.init(partition: partition, offset: offset)
    }
}

/// A complete dead letter: the original with its headers, and the headers of newsflash.
package struct DeadLetterBody: Sendable {
    package let key: [UInt8]?
    package let value: [UInt8]?
    package let headers: [KafkaHeader]

    /// The headers of the original.
    var ownHeaders: [KafkaHeader] {
        headers.filter { !$0.name.hasPrefix(DeadLetter.headerPrefix) && !$0.name.hasPrefix(RedriveHeader.prefix) }
    }

    /// The original as input of a rehearsal.
    var rehearsed: RehearsalRecord {
        RehearsalRecord(
            key: key,
            value: value,
            headers: ownHeaders.map { EventHeader(name: $0.name, value: $0.value) }
        )
    }
}

/// Reads complete dead letters.
package enum LetterBodies {
    /// Reads dead letters.
    ///
    /// - Returns: The dead letters that still exist.
    /// - Throws: ``OperationError`` if the topic cannot be read.
    package static func read(
        _ places: [DeadLetterPosition],
        _ settings: TopicSettings
    ) async throws(OperationError) -> [DeadLetterPosition: DeadLetterBody] {
        guard !places.isEmpty else { return [:] }
        let wanted = Set(places)
        var begins: [TopicPartition: Int64] = [:]
        var ends: [TopicPartition: Int64] = [:]
        for place in places {
            let partition = TopicPartition(topic: settings.topics.deadLetters, partition: place.partition)
            begins[partition] = min(begins[partition] ?? place.offset, place.offset)
            ends[partition] = max(ends[partition] ?? 0, place.offset + 1)
        }
        let bodies = Locked<[DeadLetterPosition: DeadLetterBody]>([:])
        let topics = [settings.topics.deadLetters]
        _ = try await TopicScan(settings.kafka, topics: topics, from: .offsets(begins), to: .offsets(ends)).run {
            messages in
            for message in messages {
                let place = DeadLetterPosition(message)
                guard wanted.contains(place) else { continue }
                let body = DeadLetterBody(key: message.key, value: message.value, headers: message.headers)
                bodies.withLock { $0[place] = body }
            }
            return true
        }
        return bodies.withLock { $0 }
    }
}
