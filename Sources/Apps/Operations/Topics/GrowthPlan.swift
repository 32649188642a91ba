import Basics
package import Kafka
package import Publishing
import StrictJSON
package import TopicPartitions

/// The stories that must move to other partitions of a ledger because its source gets more partitions.
package struct GrowthPlan: Sendable {
    /// A story that moves.
    package struct Move: Sendable, Equatable {
        package let story: String
        package let record: StoryFacts
        package let from: Int32
        package let to: Int32
        /// The record in the target partition, if an interrupted run has already written it.
        package let known: StoryFacts?
    }

    package let source: String
    package let ledger: String
    /// The number of partitions of the source, of the ledger, and of both after growing.
    let sourceCount: Int
    let ledgerCount: Int
    package let count: Int
    package private(set) var moves: [Move] = []
    package private(set) var staying = 0
    /// Stories whose records are not in the partition of their key, so that their new partition is not known.
    private(set) var strangers: [String] = []

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - source: The topic of events.
    ///   - ledger: The ledger of the source.
    ///   - sourceCount: The number of partitions of the source.
    ///   - ledgerCount: The number of partitions of the ledger.
    ///   - count: The number of partitions of both after growing.
    ///   - stories: All stories in the ledger, each with its partition.
    package init(
        source: String,
        ledger: String,
        sourceCount: Int,
        ledgerCount: Int,
        count: Int,
        stories: [(story: String, record: StoryFacts, partition: Int32)]
    ) {
        self.source = source
        self.ledger = ledger
        self.sourceCount = sourceCount
        self.ledgerCount = ledgerCount
        self.count = count
        let known = Dictionary(stories.map { (Place(story: $0.story, partition: $0.partition), $0.record) }) { $1 }
        for (story, record, partition) in stories.sorted(by: { ($0.partition, $0.story) < ($1.partition, $1.story) }) {
            let key = Array(StoryKey.story(of: story).utf8)
            let target = KafkaPartitioner.partition(ofKey: key, among: count)
            if target == partition {
                staying += 1
            } else if ledgerCount < count, KafkaPartitioner.partition(ofKey: key, among: ledgerCount) != partition {
                strangers.append(story)
            } else {
                let known = known[Place(story: story, partition: target)]
                moves.append(Move(story: story, record: record, from: partition, to: target, known: known))
            }
        }
    }

    private struct Place: Hashable {
        let story: String
        let partition: Int32
    }

    /// The number of waiting events in stories that move.
    package var waiting: Int { moves.reduce(0) { $0 + $1.record.waiting.count } }

    /// Whether nothing has to be done.
    package var isDone: Bool { moves.isEmpty && sourceCount == count && ledgerCount == count }

    /// The plan for people.
    package var lines: [String] {
        let topics = ["\(source): \(change(sourceCount))", "\(ledger): \(change(ledgerCount))"]
        let stories = "stories: \(moves.count + staying) known, \(moves.count) move"
        guard waiting > 0 else { return topics + [stories] }
        return topics + [
            stories, "waiting events in them: \(waiting), written to \(source) again with their own keys",
        ]
    }

    private func change(_ present: Int) -> String {
        present == count ? "has \(count) partitions" : "grows from \(present) to \(counted(count, "partition"))"
    }

    /// The plan as a JSON object.
    ///
    /// - Parameter isDone: Whether the plan was carried out.
    /// - Returns: One line.
    package func json(isDone: Bool) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("source", source)
            writer.member("ledger", ledger)
            writer.member("sourcePartitions", Int64(sourceCount))
            writer.member("ledgerPartitions", Int64(ledgerCount))
            writer.member("partitions", Int64(count))
            writer.member("moving", Int64(moves.count))
            writer.member("staying", Int64(staying))
            writer.member("waiting", Int64(waiting))
            writer.member("done", isDone)
        }
    }
}

/// Reads whole partitions to their present ends, for commands that need all records of a topic.
package final class WholePartitions: KafkaReaderDelegate {
    private struct State {
        var waiting: Set<TopicPartition>
        var messages: [KafkaMessage] = []
        var failure: KafkaError?
        /// The time of the last message or end of a partition.
        var heardAt = ContinuousClock.now
    }

    private let state: Locked<State>
    private let isWanted: @Sendable (KafkaMessage) -> Bool
    private let isOver = Promise<Bool>()

    private init(_ partitions: Set<TopicPartition>, _ isWanted: @escaping @Sendable (KafkaMessage) -> Bool) {
        state = Locked(State(waiting: partitions))
        self.isWanted = isWanted
    }

    /// Reads partitions.
    ///
    /// - Parameters:
    ///   - beginnings: The first offset to read of each partition.
    ///   - cluster: The cluster.
    ///   - isWanted: Whether to keep a message.
    /// - Returns: The kept messages, in order within each partition.
    /// - Throws: ``KafkaError`` if a partition cannot be read.
    package static func read(
        _ beginnings: [TopicPartition: KafkaOffset],
        in cluster: KafkaConfiguration,
        keeping isWanted: @escaping @Sendable (KafkaMessage) -> Bool = { _ in true }
    ) async throws(KafkaError) -> [KafkaMessage] {
        guard !beginnings.isEmpty else { return [] }
        let whole = WholePartitions(Set(beginnings.keys), isWanted)
        let reader = try KafkaReader(KafkaReaderConfiguration(client: cluster, recovery: .tell), delegate: whole)
        for (partition, offset) in beginnings { reader.start(partition, at: offset) }
        // Cancelled at the end of this call.
        let watch = Task.detached {
            while (try? await Task.sleep(for: .seconds(1))) != nil { whole.giveUpOnSilence() }
        }
        let topics = Set(beginnings.keys.map(\.topic)).sorted().joined(separator: ", ")
        _ = await SlowOperationNotice.noting("reading \(topics)") { await whole.isOver.wait() }
        watch.cancel()
        await reader.close(deadline: .seconds(5))
        let (messages, failure) = whole.state.withLock { ($0.messages, $0.failure) }
        if let failure { throw failure }
        return messages
    }

    package func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        let wanted = messages.filter(isWanted)
        state.withLock { state in
            state.messages += wanted
            state.heardAt = .now
        }
    }

    /// Fails after 30 seconds without an answer: librdkafka detects a stalled broker only after a minute.
    private func giveUpOnSilence() {
        let isSilent = state.withLock { state in
            guard state.heardAt.duration(to: .now) > ScanReading.patience else { return false }
            state.failure = KafkaError(.timedOut, "no answer within \(ScanReading.patience)")
            return true
        }
        if isSilent { isOver.end(with: false) }
    }

    package func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64) {
        let isLast = state.withLock { state in
            state.heardAt = .now
            return state.waiting.remove(partition) != nil && state.waiting.isEmpty
        }
        if isLast { isOver.end(with: true) }
    }

    package func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?) {
        guard partition != nil, !error.isRetriable else { return }
        state.withLock { $0.failure = error }
        isOver.end(with: false)
    }
}
