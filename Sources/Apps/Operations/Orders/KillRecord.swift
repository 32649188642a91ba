package import NewsflashEvents
package import NewsflashKafka
package import NewsflashPublishing
package import NewsflashTimestamps
package import NewsflashTopicPartitions
import NewsflashWorker

/// A withdrawal of one story, to be written beside the story's own records.
package struct KillRecord: Sendable {
    /// The source's name in the configuration.
    package let source: String
    /// The partition of the source topic whose ledger has the story.
    package let partition: TopicPartition
    package let event: NewsEvent
    /// The facts of the story before the withdrawal; `nil` if its record cannot be decoded.
    package let facts: StoryFacts?

    /// The author of a withdrawal, the reason, and words for subscribers.
    package struct Order: Sendable {
        package var reason: String?
        /// The author; `nil` if not known.
        package var person: String?
        /// The text for subscribers; empty for `text.kill` of the configuration.
        package var text: [EventText]

        package init(reason: String? = nil, person: String? = nil, text: [EventText]) {
            self.reason = reason
            self.person = person
            self.text = text
        }
    }

    /// The highest revision that an event can have.
    private static let highestRevision: Int64 = (1 << 53) - 1

    /// - Parameters:
    ///   - known: The story in a ledger.
    ///   - story: The name of the story.
    ///   - order: The author, the reason and the text.
    ///   - number: Distinguishes the records of one command.
    ///   - now: The current time.
    package init(of known: KnownStory, story: String, by order: Order, number: Int, now: Timestamp) {
        source = known.source.name
        partition = TopicPartition(topic: known.source.topic, partition: known.partition.partition)
        facts = known.facts
        let salt = String(UInt32.random(in: .min ... .max), radix: 16)
        let uri = known.facts.map(\.source) ?? ""
        let revision = known.facts.map { min($0.highestKnownRevision, Self.highestRevision - 1) + 1 }
        event = NewsEvent(
            id: "withdraw-\(now.milliseconds)-\(salt)-\(number)",
            // The URI of the source, because an order that pauses the source must pause its withdrawals, too.
            source: uri.isEmpty ? known.source.id : uri,
            story: story,
            revision: revision ?? max(1, now.milliseconds),
            kind: .kill,
            // If this machine's clock is behind, the withdrawal must not count as expired.
            published: Timestamp(milliseconds: max(now, known.facts?.changedAt ?? now).milliseconds),
            text: order.text,
            approvedBy: order.person.map { [$0] } ?? [],
            mode: known.mode,
            note: order.reason
        )
    }

    /// The record for the partition of the story, so that it comes after all earlier records of the story.
    package var record: KafkaRecord {
        KafkaRecord(
            topic: partition.topic,
            partition: partition.partition,
            key: Array(event.story.utf8),
            value: EventEncoder.encode(event),
            headers: [KafkaHeader(OwnEvent.header)]
        )
    }

    /// Why a worker would refuse the record; `nil` if it would not.
    package var fault: String? {
        let outcome = EventDecoder(defaultSource: event.source).decode(bytes: EventEncoder.encode(event))
        if case .rejected(let rejection) = outcome { return rejection.detail }
        return nil
    }
}

extension KafkaHeader {
    package init(_ header: EventHeader) {
        self.init(name: header.name, value: header.value)
    }
}

extension StoryFacts {
    /// The highest revision of any event of the story that the facts mention.
    fileprivate var highestKnownRevision: Int64 {
        audiences.reduce(max(revision, passedRevision)) { max($0, $1.act.revision) }
    }
}
