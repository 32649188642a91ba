import NewsflashBasics
import NewsflashKafka
import NewsflashObservability
import NewsflashTopicPartitions

/// Reads all partitions of topics without a consumer group, including partitions added later.
final class TopicFollower: KafkaReaderDelegate {
    /// How much of a partition's existing records is read.
    enum Beginning: Sendable {
        /// All records.
        case all
        /// The given number of records at the end.
        case last(Int64)
    }

    /// The interval between two checks of the partitions if a topic is missing or the cluster does not respond.
    private static let retry = Duration.seconds(1)
    /// The time-out of a request to the cluster; closing may wait for it.
    private static let timeout = Duration.seconds(3)

    private struct State {
        var progress: TopicProgress
        /// Whether the last known request to the cluster succeeded.
        var isReachable = false
        var lastFault: String?
        var running: (reader: KafkaReader, looks: Task<Void, Never>)?
    }

    private let topics: [String: Beginning]
    private let interval: Duration
    private let logger: Logger
    private let receive: @Sendable ([KafkaMessage]) -> Void
    private let state: Locked<State>
    /// Completed when the follower is caught up for the first time.
    let caughtUp = Promise<Bool>()
    /// Completed when all records are read for the first time.
    let current = Promise<Bool>()

    /// Creates a follower that is not open yet.
    ///
    /// - Parameters:
    ///   - topics: The topics by name.
    ///   - interval: The interval between two checks while all topics are readable. Determines how soon new partitions are
    ///     read, and how soon the recovery of a cluster is noticed.
    ///   - logger: Logs each fault of the cluster once.
    ///   - receive: Receives messages of one partition in their order, on the reader's thread.
    init(
        _ topics: [String: Beginning],
        interval: Duration = .seconds(10),
        logger: Logger,
        receive: @escaping @Sendable ([KafkaMessage]) -> Void
    ) {
        self.topics = topics
        state = Locked(State(progress: TopicProgress(of: topics.keys)))
        self.interval = interval
        self.logger = logger
        self.receive = receive
    }

    /// Whether each topic that exists is read up to its end at the time when it was found. False again when a topic appears
    /// that was missing, until that is read, because its last record may be a kill. Missing topics are logged.
    var isCaughtUp: Bool { state.withLock { $0.progress.isCaughtUp } }

    /// Whether all records are read: it is caught up, no topic is missing, and the cluster responds.
    var isCurrent: Bool { state.withLock { $0.progress.isComplete && $0.isReachable } }

    /// Starts reading in the background; call it once.
    ///
    /// - Parameter settings: The settings of the reader.
    /// - Throws: `KafkaError` that names an invalid property. An unavailable cluster is retried.
    func open(_ settings: KafkaReaderConfiguration) throws(KafkaError) {
        let admin = try KafkaAdmin(settings.client)
        let reader = try KafkaReader(settings, delegate: self)
        // ``close()`` cancels the task and waits for it.
        let looks = Task {
            while !Task.isCancelled {
                let isComplete = await discoverPartitions(by: admin, reader)
                try? await Task.sleep(for: isComplete ? interval : Self.retry)
            }
        }
        state.withLock { $0.running = (reader, looks) }
    }

    /// Stops reading.
    func close() async {
        guard let running = state.withLock({ $0.running.take() }) else { return }
        running.looks.cancel()
        await running.looks.value
        await running.reader.close(deadline: .seconds(5))
    }

    // MARK: - The partitions

    /// - Returns: Whether all topics exist.
    private func discoverPartitions(by admin: KafkaAdmin, _ reader: KafkaReader) async -> Bool {
        do throws(KafkaError) {
            // All topics are requested, because some brokers would create a missing topic that is requested by name.
            let described = try await admin.topics(timeout: Self.timeout).filter { topics[$0.name] != nil }
            for topic in described { if let error = topic.error { throw error } }
            var starts: [(partition: TopicPartition, offset: KafkaOffset)] = []
            for topic in described {
                let known = state.withLock { $0.progress.partitions(of: topic.name) }
                for number in topic.partitions.map(\.number) where number >= known {
                    let partition = TopicPartition(topic: topic.name, partition: number)
                    starts.append((partition, try await self.start(of: partition, isFirst: known == 0, by: admin)))
                }
            }
            let missing = begin(starts, existing: described.map(\.name), by: reader)
            missing.fresh.forEach(reportMissing)
            return missing.isNone
        } catch {
            state.withLock { $0.isReachable = false }
            report(error, of: nil)
            return false
        }
    }

    /// The offset from which a new partition is read; `isFirst` if no partition of its topic has been read yet.
    private func start(
        of partition: TopicPartition,
        isFirst: Bool,
        by admin: KafkaAdmin
    ) async throws(KafkaError) -> KafkaOffset {
        // Partitions added later are read from their beginning.
        guard isFirst, case .last(let records) = topics[partition.topic] else { return .beginning }
        let ends = try await admin.watermarks(of: partition, timeout: Self.timeout)
        return .at(max(ends.low, ends.high - records))
    }

    /// - Returns: The topics that were not missing at the last check, and whether no topic is missing.
    private func begin(
        _ starts: [(partition: TopicPartition, offset: KafkaOffset)],
        existing: [String],
        by reader: KafkaReader
    ) -> (fresh: [String], isNone: Bool) {
        let missing = state.withLock { state in
            state.isReachable = true
            state.lastFault = nil
            let fresh = state.progress.found(starts.map(\.partition), existing: existing)
            return (fresh: fresh, isNone: state.progress.missing.isEmpty)
        }
        // After their partitions were recorded as unread, so that none is read before.
        for (partition, offset) in starts { reader.start(partition, at: offset) }
        endPromises()
        return missing
    }

    private func endPromises() {
        if isCaughtUp { caughtUp.end(with: true) }
        if isCurrent { current.end(with: true) }
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

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64) {
        state.withLock { $0.progress.reachedEnd(of: partition) }
        endPromises()
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?) {
        if partition == nil { state.withLock { $0.isReachable = false } }
        report(error, of: partition?.topic)
        // The next record was deleted from the log, so reading continues with the oldest remaining one.
        if let partition, error.code == .offsetOutOfRange { reader.start(partition, at: .beginning) }
    }

    // MARK: - Reports

    private func reportMissing(_ topic: String) {
        logger.warning(
            "a topic is missing and cannot be read",
            metadata: [
                "kafka.topic": .string(topic),
                "remedy": .string(
                    "create it with 'newsflash topics apply', or allow Read on it for these credentials"
                ),
            ]
        )
    }

    /// Logs a fault once until the cluster responds. An outage is one fault, which librdkafka reports in several forms.
    private func report(_ error: KafkaError, of topic: String?) {
        let fault = error.meansUnreachable ? KafkaError.Code.transport.rawValue : error.description
        let isNew = state.withLock { state in
            defer { state.lastFault = fault }
            return state.lastFault != fault
        }
        guard isNew else { return }
        let remedy =
            error.meansForbidden
            ? "allow Read on the topic \(topic ?? "") for these credentials" : "retried automatically"
        logger.warning(
            "topics cannot be read",
            metadata: [
                "kafka.topic": .string(topic ?? topics.keys.sorted().joined(separator: ", ")),
                "detail": .string(error.description), "remedy": .string(remedy),
            ]
        )
    }
}

/// How much of followed topics is read: which topics are missing, and which partitions are not read to their end yet.
struct TopicProgress: Sendable {
    /// The topics that were missing at the last check.
    private(set) var missing: Set<String> = []
    private let topics: Set<String>
    /// The number of partitions known of each topic that was found.
    private var known: [String: Int32] = [:]
    /// The partitions of newly found topics whose existing records are not all read.
    private var unread: Set<TopicPartition> = []
    /// Whether the partitions were checked at least once.
    private var wasChecked = false

    /// Creates the progress before the first check.
    init(of topics: some Sequence<String>) {
        self.topics = Set(topics)
    }

    /// Whether each topic that was found is read up to its end at that time; false before the first check.
    var isCaughtUp: Bool { wasChecked && unread.isEmpty }

    /// Whether it is caught up and no topic is missing.
    var isComplete: Bool { isCaughtUp && missing.isEmpty }

    /// The number of partitions known of a topic; zero if it was never found.
    func partitions(of topic: String) -> Int32 { known[topic] ?? 0 }

    /// Records the result of a check.
    ///
    /// - Parameters:
    ///   - partitions: The partitions that are read from now on.
    ///   - existing: The topics that exist.
    /// - Returns: The topics that are missing and were not missing at the last check, in order.
    mutating func found(_ partitions: [TopicPartition], existing: [String]) -> [String] {
        // A topic may have many records when it appears, for example if these credentials have just received the right to read
        // it. Partitions that are added to a known topic are empty at first.
        unread.formUnion(partitions.filter { known[$0.topic] == nil })
        for partition in partitions {
            known[partition.topic] = max(self.partitions(of: partition.topic), partition.partition + 1)
        }
        wasChecked = true
        let absent = topics.subtracting(existing)
        defer { missing = absent }
        return absent.subtracting(missing).sorted()
    }

    /// Records that all existing records of a partition were read.
    mutating func reachedEnd(of partition: TopicPartition) {
        unread.remove(partition)
    }
}

/// A value that several objects share, protected by a lock.
final class Shared<Value: Sendable>: Sendable {
    private let value: Locked<Value>

    init(_ value: Value) {
        self.value = Locked(value)
    }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { body(&$0) }
    }
}
