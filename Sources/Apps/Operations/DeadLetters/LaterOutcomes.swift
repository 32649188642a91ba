import NewsflashBasics
import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker

/// The outcomes after the dead letters: which of their events were sent later, and what became of their copies.
package struct LaterOutcomes: Sendable {
    /// A record of a source topic.
    package struct Origin: Hashable, Sendable {
        package var topic: String
        package var partition: Int32
        package var offset: Int64

        init(_ origin: RecordOrigin) {
            topic = origin.partition.topic
            partition = origin.partition.partition
            offset = origin.offset
        }

        init(_ copy: RedrivenCopy) {
            self.init(copy.partition, copy.offset)
        }

        init(_ place: TopicPartition, _ offset: Int64) {
            topic = place.topic
            partition = place.partition
            self.offset = offset
        }
    }

    /// The identity of an event: its ID may occur in two stories.
    private struct Name: Hashable {
        var event: String
        var story: String
    }

    private struct News {
        /// The last time at which each event was sent.
        var sentAt: [Name: Timestamp] = [:]
        /// The latest verdict on each copy; a final one is kept.
        var verdicts: [Origin: (verdict: EventVerdict, isFinal: Bool)] = [:]
    }

    private let news: News

    /// Reads the outcomes.
    ///
    /// - Parameters:
    ///   - settings: The settings with the topic.
    ///   - time: Outcomes before this time are not read.
    ///   - letters: The dead letters whose events matter.
    ///   - copies: The copies that matter.
    /// - Throws: ``OperationError`` if the topic cannot be read.
    init(
        _ settings: TopicSettings,
        since time: Timestamp,
        of letters: [DeadLetterEntry],
        _ copies: [DeadLetterPosition: RedrivenCopy]
    ) async throws(OperationError) {
        let names = Set(letters.compactMap(Self.name))
        let origins = Set(copies.values.map(Origin.init))
        // The key of an outcome is its story. An undecodable record may belong to another story than its dead letter shows.
        let stories = Set(letters.compactMap(\.story).map { Array($0.utf8) })
        let isAnyUnread = letters.contains { letter in
            copies[letter.place] != nil && (letter.story == nil || letter.stage == DeadLetter.Stage.decode.rawValue)
        }
        let collected = Locked(News())
        let scan = TopicScan(settings.kafka, topics: [settings.topics.outcomes], from: .time(time), to: .present)
        _ = try await scan.run { messages in
            for message in messages {
                if !isAnyUnread, let key = message.key, !stories.contains(key) { continue }
                guard let value = message.value, let outcome = try? OutcomeRecordReader.read(value.span),
                    settings.isOfGroup(outcome)
                else {
                    continue
                }
                let name = Name(event: outcome.event, story: outcome.story)
                let origin = Origin(outcome.origin)
                let matters = outcome.verdict.isNotified && names.contains(name)
                guard matters || origins.contains(origin) else { continue }
                collected.withLock { news in
                    if matters { news.sentAt[name] = max(news.sentAt[name] ?? outcome.at, outcome.at) }
                    guard origins.contains(origin), news.verdicts[origin]?.isFinal != true else { return }
                    news.verdicts[origin] = (outcome.verdict, outcome.isFinal)
                }
            }
            return true
        }
        news = collected.withLock { $0 }
    }

    /// Returns when the event of a dead letter was sent, if that was after the dead letter was written.
    func sentAfter(_ letter: DeadLetterEntry) -> Timestamp? {
        guard let at = Self.name(of: letter).flatMap({ news.sentAt[$0] }), at > letter.at else { return nil }
        return at
    }

    /// Returns the worker's latest verdict on a copy.
    func verdict(on copy: RedrivenCopy) -> EventVerdict? { news.verdicts[Origin(copy)]?.verdict }

    private static func name(of letter: DeadLetterEntry) -> Name? {
        guard let event = letter.event, let story = letter.story else { return nil }
        return Name(event: event, story: story)
    }
}
