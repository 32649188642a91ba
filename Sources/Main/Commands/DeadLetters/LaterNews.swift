import Kafka
import Locks
import Publishing
import Timestamps
import Worker

/// What the outcomes say of letters since: which of their events were told, and what became of their copies.
struct LaterNews: Sendable {
    /// A record of a source topic.
    struct Origin: Hashable, Sendable {
        var topic: String
        var partition: Int32
        var offset: Int64

        init(_ origin: RecordOrigin) {
            topic = origin.partition.topic
            partition = origin.partition.number
            offset = origin.offset
        }

        init(_ copy: RedrivenCopy) {
            self.init(copy.partition, copy.offset)
        }

        init(_ place: KafkaTopicPartition, _ offset: Int64) {
            topic = place.topic
            partition = place.partition
            self.offset = offset
        }
    }

    /// An event: its id alone may stand in two stories.
    private struct Name: Hashable {
        var event: String
        var story: String
    }

    private struct News {
        /// When an event was told last.
        var told: [Name: Timestamp] = [:]
        /// The last word on each copy; a final one stays.
        var verdicts: [Origin: (verdict: EventVerdict, isFinal: Bool)] = [:]
    }

    private let news: News

    /// Reads the outcomes.
    ///
    /// - Parameters:
    ///   - settings: Name the topic.
    ///   - time: Nothing is looked for before it.
    ///   - letters: Whose events matter.
    ///   - copies: Which records matter.
    /// - Throws: ``CommandError`` where the topic cannot be read.
    init(
        _ settings: TopicSettings,
        since time: Timestamp,
        of letters: [Letter],
        _ copies: [LetterPlace: RedrivenCopy]
    ) async throws(CommandError) {
        let names = Set(letters.compactMap(Self.name))
        let origins = Set(copies.values.map(Origin.init))
        // The key of an outcome is its story. What could not be read may have had another story than it seemed.
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
                let matters = outcome.verdict.isTold && names.contains(name)
                guard matters || origins.contains(origin) else { continue }
                collected.withLock { news in
                    if matters { news.told[name] = max(news.told[name] ?? outcome.at, outcome.at) }
                    guard origins.contains(origin), news.verdicts[origin]?.isFinal != true else { return }
                    news.verdicts[origin] = (outcome.verdict, outcome.isFinal)
                }
            }
            return true
        }
        news = collected.withLock { $0 }
    }

    /// When the event of a letter was told, if that was after the letter.
    func told(_ letter: Letter) -> Timestamp? {
        guard let at = Self.name(of: letter).flatMap({ news.told[$0] }), at > letter.at else { return nil }
        return at
    }

    /// The last that the worker said of a copy.
    func verdict(on copy: RedrivenCopy) -> EventVerdict? { news.verdicts[Origin(copy)]?.verdict }

    private static func name(of letter: Letter) -> Name? {
        guard let event = letter.event, let story = letter.story else { return nil }
        return Name(event: event, story: story)
    }
}
