import NewsflashBasics
import NewsflashKafka
package import NewsflashPublishing
import NewsflashStrictJSON
package import NewsflashTopicPartitions
package import NewsflashWorker

/// An outcome with its position in the outcome topic.
package struct FoundOutcome: Sendable {
    package let partition: TopicPartition
    package let offset: Int64
    package let record: OutcomeRecord
    /// The bytes of the record's value.
    package let value: [UInt8]

    /// The outcome as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("type", "outcome")
            writer.member("topic", partition.topic)
            writer.member("partition", Int64(partition.partition))
            writer.member("offset", offset)
            writer.name("outcome")
            writer.raw(value)
        }
    }
}

/// Searches the outcomes and the ledger for an event or a story.
package struct OutcomeSearch: Sendable {
    private let settings: TopicSettings
    private let subject: OutcomeSubject
    /// The subject as it appears in JSON. Only records that contain these bytes are decoded.
    private let mark: [UInt8]

    package init(_ settings: TopicSettings, _ subject: OutcomeSubject) {
        self.settings = settings
        self.subject = subject
        switch subject {
        case .event(let name), .story(let name):
            var writer = JSONWriter()
            writer.value(name)
            // Without the quotes, because they are escaped in the ledger's copy of a waiting record.
            mark = Array(writer.finish().dropFirst().dropLast())
        }
    }

    /// The outcomes of the subject.
    package var stream: OutcomeStream {
        OutcomeStream(settings, mark: mark) { [subject] record in
            switch subject {
            case .event(let id): record.event == id
            case .story(let name): record.story == name
            }
        }
    }
}

// MARK: - The ledger

extension OutcomeSearch {
    /// Reads the ledger records of the story, or of the story of the event.
    ///
    /// - Parameter found: The outcomes of the subject. Without outcomes of an event, all stories are searched.
    /// - Returns: The latest record of each matching story, oldest first.
    /// - Throws: ``OperationError`` if a ledger cannot be read.
    package func memories(after found: OutcomeStream.Found) async throws(OperationError) -> [LedgerSummary] {
        guard settings.ledger == .required else { return [] }
        var stories = found.stories
        if case .story(let name) = subject { stories.insert(name) }
        let latest = Locked<[String: LedgerSummary]>([:])
        for source in settings.sources {
            let known = found.sourcePartitions.filter { $0.topic == source.topic }
                .map { (TopicPartition(topic: source.ledger, partition: $0.partition), Int64(0)) }
            // If all outcomes are from other sources, the subject is not in this ledger.
            guard found.sourcePartitions.isEmpty || !known.isEmpty else { continue }
            let beginning: TopicScan.Beginning =
                known.isEmpty ? .earliest : .offsets(Dictionary(known) { first, _ in first })
            let scan = TopicScan(settings.kafka, topics: [source.ledger], from: beginning, to: .present)
            _ = try await scan.run { [stories] messages in
                let memories = messages.compactMap { memory(in: $0, of: stories) }
                latest.withLock { latest in
                    for (place, memory) in memories { latest[place] = memory }
                }
                return true
            }
        }
        return latest.withLock { $0.values.sorted { $0.record.changedAt < $1.record.changedAt } }
    }

    /// The place and content of a ledger record; `nil` if it belongs to another story. The memory is `nil` if the story was
    /// deleted, or no longer mentions the event.
    private func memory(in message: KafkaMessage, of stories: Set<String>) -> (place: String, memory: LedgerSummary?)? {
        guard let key = message.key else { return nil }
        let name = String(decoding: key, as: UTF8.self)
        let story = String(StoryKey.story(of: name))
        if !stories.isEmpty, !stories.contains(name), !stories.contains(story) { return nil }
        let place = "\(message.topicPartition) \(name)"
        guard let value = message.value, !stories.isEmpty || value.contains(mark),
            let (_, record) = try? LedgerRecordCodec.decode(value.span)
        else { return (place, nil) }
        if stories.isEmpty, case .event(let id) = subject, !record.mayMention(id) { return (place, nil) }
        let memory = LedgerSummary(
            partition: message.topicPartition,
            offset: message.offset,
            story: name,
            record: record
        )
        return (place, memory)
    }
}

extension StoryFacts {
    /// Whether the event is the story's latest, ended recently or may be waiting.
    fileprivate func mayMention(_ event: String) -> Bool {
        eventID == event || closing.contains { $0.event == event } || !waiting.isEmpty
    }
}
