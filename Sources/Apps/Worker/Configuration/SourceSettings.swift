import Kafka
package import NewsEvents
import Publishing
import Timestamps

/// One topic of events.
package struct SourceSettings: Sendable, Equatable {
    /// The name in the configuration.
    package var name: String
    package var topic: String
    /// The worker's memory of the topic's stories: compacted, with as many partitions as the topic.
    package var ledger: String
    /// The `source` of events that name none.
    package var id: String
    /// What stands in its records.
    package var format = SourceFormat.event
    /// What a feed's items mean.
    package var rules = SourceRules()
    /// The most bytes of a record; `nil` for the usual of the format.
    package var maximumBytes: Int?

    /// The range of ``maximumBytes``: a worker has several records of that size in memory.
    static let maximumBytesRange = 1024...104_857_600

    /// The newsroom's desk, for who names no source.
    static let usual = SourceSettings(
        name: "desk",
        topic: "newsroom.breaking.v1",
        ledger: TopicNames.ledger(group: WorkerConfiguration.usualGroup, source: "newsroom.breaking.v1"),
        id: "newsroom"
    )

    /// Reads its records.
    package var decoder: EventDecoder {
        EventDecoder(defaultSource: id, format: format, rules: rules, maximumBytes: maximumBytes)
    }
}

extension [SourceSettings] {
    /// Reads the records of all topics.
    package var decoders: SourceDecoders { SourceDecoders(self) }
}

/// The decoders of a worker's topics.
package struct SourceDecoders: Sendable {
    private let decoders: [(topic: String, decoder: EventDecoder)]
    private let first: EventDecoder

    /// Makes the decoders of sources.
    ///
    /// - Parameter sources: At least one; records of other topics are read as the first one's.
    init(_ sources: [SourceSettings]) {
        decoders = sources.map { ($0.topic, $0.decoder) }
        first = decoders.first?.decoder ?? EventDecoder(defaultSource: "newsroom")
    }

    /// The decoder of a topic; looked at for each record, so that one source costs no comparison.
    package subscript(topic: String) -> EventDecoder {
        guard decoders.count > 1 else { return first }
        return decoders.first { $0.topic == topic }?.decoder ?? first
    }

    /// Reads a message without copying its value.
    func decode(_ message: KafkaMessage) -> DecodeOutcome {
        let headers = message.headers.map { EventHeader(name: $0.name, value: $0.value) }
        let decoder = self[message.topic]
        return message.withValue { decoder.decode(value: $0, headers: headers, writtenAt: message.timestamp) }
    }

    /// Reads a copy of a message of a topic.
    ///
    /// - Parameters:
    ///   - copy: The message's bytes.
    ///   - topic: The topic of events.
    ///   - writtenAt: The message's own time.
    /// - Returns: The event, or the reason why the record is not an event.
    func decode(_ copy: RecordCopy, of topic: String, writtenAt: Timestamp?) -> DecodeOutcome {
        let headers = copy.headers.map { EventHeader(name: $0.name, value: $0.value) }
        return self[topic].decode(bytes: copy.value, headers: headers, writtenAt: writtenAt)
    }
}
