import NewsflashBasics
import NewsflashGuarantees
import NewsflashKafka
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Records that Kafka lost.
struct KafkaLoss: Sendable, Equatable {
    var partition: TopicPartition
    /// The offset of the first.
    var from: Int64
    var records: Int
}

/// Reads the outcomes and the dead letters, and records the end of each event by its position in the source.
final class OutcomeReader: KafkaConsumerDelegate {
    struct Entries: Sendable {
        /// All final outcomes of each record.
        var outcomes: [RecordPosition: [SeenOutcome]] = [:]
        var deadLetters: Set<RecordPosition> = []
        /// The records that workers report as lost.
        var losses: [KafkaLoss] = []
        /// The unreadable records of the two topics.
        var faults: [String] = []
    }

    private let outcomesTopic: String
    private let onlyCounts: Bool
    private let entries = Locked(Entries())
    /// The number of records with a final outcome, after each batch.
    private let counts = EventLog<Int>()

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - outcomesTopic: The topic of outcomes. The other topic contains dead letters.
    ///   - onlyCounts: Whether records are only counted, for plans with one outcome for each record.
    init(outcomesTopic: String, onlyCounts: Bool) {
        self.outcomesTopic = outcomesTopic
        self.onlyCounts = onlyCounts
    }

    /// The entries read so far.
    var present: Entries { entries.withLock { $0 } }

    /// The number of records with a final outcome.
    var count: Int { counts.events.last ?? 0 }

    /// Waits until a number of records have a final outcome.
    func finalOutcomes(_ count: Int) async throws {
        try await counts.wait { ($0.last ?? 0) >= count ? () : nil }
    }

    /// Waits until each of these records has a final outcome. Their number is not enough, because a record that was not
    /// confirmed to the desk may have an outcome too.
    func finalOutcomes(of places: some Collection<RecordPosition> & Sendable) async throws {
        try await counts.wait { counts -> Void? in
            let isEnough = (counts.last ?? 0) >= places.count
            let isMet = isEnough && self.entries.withLock { seen in places.allSatisfy { seen.outcomes[$0] != nil } }
            return isMet ? () : nil
        }
    }

    /// Waits until workers have reported a number of losses.
    func losses(_ count: Int) async throws {
        try await counts.wait { _ in self.entries.withLock { $0.losses.count >= count } ? () : nil }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didReceive messages: [KafkaMessage]) {
        guard !onlyCounts else {
            counts.append(count + messages.count { $0.topic == outcomesTopic })
            return
        }
        for message in messages {
            if message.topic == outcomesTopic { readOutcome(message) } else { readDeadLetter(message) }
        }
        counts.append(entries.withLock { $0.outcomes.count })
    }

    private func readOutcome(_ message: KafkaMessage) {
        guard
            let value = message.value, let record = try? JSONReader.read(value),
            let word = record[member: "outcome"]?.string, case .bool(let isFinal)? = record[member: "final"],
            let at = record[member: "at"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
            let origin = record[member: "origin"], let topic = origin[member: "topic"]?.string,
            let partition = origin[member: "partition"]?.int64, let offset = origin[member: "offset"]?.int64
        else { return recordFault(message) }
        let warnings = record[member: "warn"]?.array?.compactMap(\.string) ?? []
        if let records = record[member: "records"]?.int64 {
            let place = TopicPartition(topic: topic, partition: Int32(clamping: partition))
            let loss = KafkaLoss(partition: place, from: offset, records: Int(records))
            return entries.withLock { $0.losses.append(loss) }
        }
        // A withdrawal that continues to audiences in a late writer's record has another outcome.
        guard isFinal, !warnings.contains("ledger.merged") else { return }
        let place = RecordPosition(
            partition: TopicPartition(topic: topic, partition: Int32(clamping: partition)),
            offset: offset
        )
        let isAhead = warnings.contains("read.ahead")
        let reason = record[member: "reason"]?.string ?? ""
        let outcome = SeenOutcome(word: word, at: at, isAhead: isAhead, reason: reason)
        entries.withLock { $0.outcomes[place, default: []].append(outcome) }
    }

    private func readDeadLetter(_ message: KafkaMessage) {
        func header(_ name: String) -> String? {
            message.headers.last { $0.name == "newsflash-dlq-" + name }.flatMap(\.value)
                .map { String(decoding: $0, as: UTF8.self) }
        }
        guard
            let topic = header("topic"), let partition = header("partition").flatMap({ Int32($0) }),
            let offset = header("offset").flatMap({ Int64($0) })
        else { return recordFault(message) }
        let place = RecordPosition(partition: TopicPartition(topic: topic, partition: partition), offset: offset)
        entries.withLock { _ = $0.deadLetters.insert(place) }
    }

    private func recordFault(_ message: KafkaMessage) {
        entries.withLock { $0.faults.append("\(message.topicPartition) at \(message.offset)") }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [TopicPartition]) {}

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [TopicPartition],
        deadline: Duration
    ) -> [TopicPartition: Int64] { [:] }

    func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [TopicPartition]) {}

    func kafkaConsumer(_ consumer: KafkaConsumer, didCommit offsets: [TopicPartition: Int64], error: KafkaError?) {
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didFail error: KafkaError) {}
}
