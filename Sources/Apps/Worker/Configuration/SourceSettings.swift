package import NewsflashEvents
import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps

/// A source: one topic with events.
package struct SourceSettings: Sendable, Equatable {
    /// The name in the configuration.
    package var name: String
    package var topic: String
    /// The ledger topic with the facts of the topic's stories: compacted, with as many partitions as the topic.
    package var ledger: String
    /// The `source` of events that do not name one.
    package var id: String
    /// The format of its records.
    package var format = SourceFormat.event
    /// The interpretation of a feed's items.
    package var rules = SourceRules()
    /// The maximum number of bytes of a record; `nil` for the default of the format.
    package var maximumBytes: Int?

    /// The range of ``maximumBytes``. A worker has several records of that size in memory.
    static let maximumBytesRange = 1024...104_857_600

    /// The newsroom's desk, the default source.
    static let usual = SourceSettings(
        name: "desk",
        topic: "newsroom.breaking.v1",
        ledger: TopicNames.ledger(group: WorkerConfiguration.usualGroup, source: "newsroom.breaking.v1"),
        id: "newsroom"
    )

    /// The maximum number of bytes of a record.
    package var largestValue: Int { decoder.maximumBytes }

    /// Decodes the source's records.
    package var decoder: EventDecoder {
        EventDecoder(defaultSource: id, format: format, rules: rules, maximumBytes: maximumBytes)
    }
}

extension [SourceSettings] {
    /// Decodes the records of all topics.
    package var decoders: SourceDecoders { SourceDecoders(self) }

    /// The ledger topics by topic of events.
    var ledgers: [String: String] { Dictionary(map { ($0.topic, $0.ledger) }) { first, _ in first } }
}

/// The decoders of a worker's topics.
package struct SourceDecoders: Sendable {
    private let decoders: [(topic: String, decoder: EventDecoder)]
    private let first: EventDecoder

    /// Makes the decoders of sources.
    ///
    /// - Parameter sources: At least one source. Records of unknown topics are decoded like those of the first.
    init(_ sources: [SourceSettings]) {
        decoders = sources.map { ($0.topic, $0.decoder) }
        first = decoders.first?.decoder ?? EventDecoder(defaultSource: "newsroom")
    }

    /// The decoder of a topic. Called for each record, so a single source is returned without a comparison.
    package subscript(topic: String) -> EventDecoder {
        guard decoders.count > 1 else { return first }
        return decoders.first { $0.topic == topic }?.decoder ?? first
    }

    /// Decodes a message without copying its value.
    func decode(_ message: KafkaMessage) -> DecodeOutcome {
        let headers = message.headers.map { EventHeader(name: $0.name, value: $0.value) }
        let decoder = self[message.topic]
        return message.withValue { decoder.decode(value: $0, headers: headers, writtenAt: message.timestamp) }
    }

    /// Decodes a copy of a message of a topic.
    ///
    /// - Parameters:
    ///   - copy: The message's bytes.
    ///   - topic: The topic of events.
    ///   - writtenAt: The timestamp of the message.
    /// - Returns: The event, or the reason why the record is not an event.
    func decode(_ copy: RecordCopy, of topic: String, writtenAt: Timestamp?) -> DecodeOutcome {
        let headers = copy.headers.map { EventHeader(name: $0.name, value: $0.value) }
        return self[topic].decode(bytes: copy.value, headers: headers, writtenAt: writtenAt)
    }
}
