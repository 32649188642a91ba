import Kafka
import Locks
import StructuredLog

/// Reads topics without a group: all partitions, also those that are added later, for as long as it is open.
final class TopicFollower: KafkaReaderDelegate {
    /// How much of a partition is read that is there at the start.
    enum Beginning: Sendable {
        /// All of it.
        case all
        /// So many records at its end.
        case last(Int64)
    }

    /// Between two looks at the partitions if a topic is missing or the cluster does not answer.
    private static let retry = Duration.seconds(1)
    /// The wait for an answer of the cluster; a stop waits for it too.
    private static let timeout = Duration.seconds(3)

    private struct State {
        /// How many partitions of each topic are read.
        var partitions: [String: Int32] = [:]
        /// The partitions of which not all is read that was there at the start; `nil` until they are known.
        var unread: Set<KafkaTopicPartition>?
        /// Whether the cluster answered last, as far as is known.
        var isReachable = false
        /// The topics that were reported missing.
        var missing: Set<String> = []
        var lastFault: String?
        var running: (reader: KafkaReader, looks: Task<Void, Never>)?
    }

    private let topics: [String: Beginning]
    private let interval: Duration
    private let logger: Logger
    private let receive: @Sendable ([KafkaMessage]) -> Void
    private let state = Locked(State())
    /// Ends once all is read that was there at the start.
    let caughtUp = OneShot<Bool>()

    /// Makes a follower that reads nothing yet.
    ///
    /// - Parameters:
    ///   - topics: By name.
    ///   - interval: Between two looks if all is well: how soon new partitions are read, and a cluster that is back is
    ///     noticed.
    ///   - logger: For trouble with the cluster, once for each kind.
    ///   - receive: Is given the messages of one partition in their order, on the reader's thread.
    init(
        _ topics: [String: Beginning],
        interval: Duration = .seconds(10),
        logger: Logger,
        receive: @escaping @Sendable ([KafkaMessage]) -> Void
    ) {
        self.topics = topics
        self.interval = interval
        self.logger = logger
        self.receive = receive
    }

    /// Whether all is read that was there at the start.
    var isCaughtUp: Bool { state.withLock { $0.unread?.isEmpty == true } }

    /// Whether what is read is all that there is, as far as is known: it is caught up, and the cluster answers.
    var isCurrent: Bool { state.withLock { $0.unread?.isEmpty == true && $0.isReachable } }

    /// Begins to read, in the background; call it once.
    ///
    /// - Parameter settings: Of the reader.
    /// - Throws: `KafkaError` that names a property which cannot be used. A cluster that is away is waited for.
    func open(_ settings: KafkaReaderConfiguration) throws(KafkaError) {
        let admin = try KafkaAdmin(settings.client)
        let reader = try KafkaReader(settings, delegate: self)
        // Ended and waited for by ``close()``.
        let looks = Task {
            while !Task.isCancelled {
                let isComplete = await look(by: admin, reader)
                try? await Task.sleep(for: isComplete ? interval : Self.retry)
            }
        }
        state.withLock { $0.running = (reader, looks) }
    }

    /// Ends reading.
    func close() async {
        guard let running = state.withLock({ $0.running.take() }) else { return }
        running.looks.cancel()
        await running.looks.value
        await running.reader.close(deadline: .seconds(5))
    }

    // MARK: - The partitions

    /// - Returns: Whether every topic is there.
    private func look(by admin: KafkaAdmin, _ reader: KafkaReader) async -> Bool {
        do throws(KafkaError) {
            // Of all, since to ask for one by name would make it at some brokers.
            let described = try await admin.topics(timeout: Self.timeout).filter { topics[$0.name] != nil }
            for topic in described { if let error = topic.error { throw error } }
            let isFirst = state.withLock { $0.unread == nil }
            var starts: [(partition: KafkaTopicPartition, offset: KafkaOffset)] = []
            for topic in described {
                let known = state.withLock { $0.partitions[topic.name] ?? 0 }
                for number in topic.partitions.map(\.number) where number >= known {
                    let partition = KafkaTopicPartition(topic: topic.name, partition: number)
                    starts.append((partition, try await self.start(of: partition, isFirst: isFirst, by: admin)))
                }
            }
            begin(starts, by: reader)
            let missing = topics.keys.filter { topic in !described.contains { $0.name == topic } }
            missing.forEach(reportMissing)
            return missing.isEmpty
        } catch {
            state.withLock { $0.isReachable = false }
            report(error, of: nil)
            return false
        }
    }

    private func start(
        of partition: KafkaTopicPartition,
        isFirst: Bool,
        by admin: KafkaAdmin
    ) async throws(KafkaError) -> KafkaOffset {
        // Partitions that are added later are read from their beginning.
        guard isFirst, case .last(let records) = topics[partition.topic] else { return .beginning }
        let ends = try await admin.watermarks(of: partition, timeout: Self.timeout)
        return .at(max(ends.low, ends.high - records))
    }

    private func begin(_ starts: [(partition: KafkaTopicPartition, offset: KafkaOffset)], by reader: KafkaReader) {
        state.withLock { state in
            for (partition, _) in starts {
                let next = partition.partition + 1
                state.partitions[partition.topic] = max(state.partitions[partition.topic] ?? 0, next)
            }
            // Partitions that are added later were not there at the start.
            if state.unread == nil { state.unread = Set(starts.map(\.partition)) }
            state.isReachable = true
            state.lastFault = nil
        }
        for (partition, offset) in starts { reader.start(partition, at: offset) }
        if isCaughtUp { caughtUp.end(with: true) }
    }

    // MARK: - KafkaReaderDelegate, on the reader's thread

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        receive(messages)
        guard let last = messages.last else { return }
        logger.trace(
            "records were read",
            metadata: [
                "kafka.topic": .string(last.topicPartition.topic), "kafka.offset": LogValue(last.offset),
            ]
        )
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        state.withLock { _ = $0.unread?.remove(partition) }
        if isCaughtUp { caughtUp.end(with: true) }
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        if partition == nil { state.withLock { $0.isReachable = false } }
        report(error, of: partition?.topic)
        // The next record is gone from the log: go on with what is left.
        if let partition, error.code == .offsetOutOfRange { reader.start(partition, at: .beginning) }
    }

    // MARK: - Reports

    private func reportMissing(_ topic: String) {
        guard state.withLock({ $0.missing.insert(topic).inserted }) else { return }
        logger.warning(
            "a topic is missing, so nothing of it can be read",
            metadata: [
                "kafka.topic": .string(topic),
                "remedy": .string(
                    "create it with 'newsflash topics create', or let the user of these credentials Read it"
                ),
            ]
        )
    }

    /// Reports a fault, once until there is another.
    private func report(_ error: KafkaError, of topic: String?) {
        let isNew = state.withLock { state in
            defer { state.lastFault = error.description }
            return state.lastFault != error.description
        }
        guard isNew else { return }
        let remedy =
            error.meansForbidden ? "let the user of these credentials Read the topic \(topic ?? "")" : "tried again"
        logger.warning(
            "topics cannot be read",
            metadata: [
                "kafka.topic": .string(topic ?? topics.keys.sorted().joined(separator: ", ")),
                "detail": .string(error.description), "remedy": .string(remedy),
            ]
        )
    }
}
