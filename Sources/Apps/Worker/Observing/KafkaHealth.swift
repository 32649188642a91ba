import NewsflashKafka
import NewsflashTimestamps
import NewsflashTopicPartitions

/// The current Kafka faults, for the person on call.
///
/// Most faults pass, and are forgotten after a minute without a repetition. librdkafka reports a missing permission only once,
/// however long it lasts, so such a fault remains until the same operation succeeds.
struct KafkaHealth: Sendable {
    /// An operation that may be refused and whose success is visible.
    enum Work: Hashable, Sendable {
        /// Membership in the group that shares this topic.
        case membership
        case reading(TopicPartition)
        case committing
    }

    /// The reason why a record was not written.
    struct WriteFailure: Sendable, Equatable {
        var text: String
        /// Whether a person must fix it.
        var isForbidden: Bool
        var at: Instant
    }

    /// How long a fault counts without a repetition. librdkafka repeats most lasting ones within half a minute.
    static let memory = Duration.seconds(60)

    private var passing: (text: String, at: Timestamp)?
    private var refusals: [Work: String] = [:]
    /// Partitions that are not read until a person decides where to start.
    private var stopped: [TopicPartition: String] = [:]
    /// Partitions that had nothing to read at the latest response of their leader.
    private var quiet: Set<TopicPartition> = []
    /// Partitions whose leader did not respond at the latest attempt.
    private var unanswered: [TopicPartition: String] = [:]
    /// The latest failure to write a record. Whether it is over is visible from the unconfirmed records.
    private(set) var writeFailure: WriteFailure?
    private let group: String

    /// Starts without faults.
    ///
    /// - Parameter group: The group that messages name.
    init(group: String) {
        self.group = group
    }

    /// The faults at an instant, each with what to do; empty if none is known.
    func present(at now: Timestamp) -> [String] {
        let refused = refusals.filter { !isIdle($0.key) }.values.sorted()
        let reported = refused + stopped.values.sorted() + unanswered.values.sorted()
        guard let passing, now - passing.at < Self.memory, !reported.contains(where: { $0.hasPrefix(passing.text) })
        else { return reported }
        return reported + [passing.text]
    }

    /// Records a fault.
    mutating func failed(_ error: KafkaError, at now: Timestamp) {
        guard !error.meansForbidden else {
            let isOfPartition = error.partition.map { $0.partition >= 0 } ?? false
            return failed(error.partition.flatMap { isOfPartition ? .reading($0) : nil } ?? .membership, error)
        }
        // "All brokers down" is reported right after its cause and must not hide it.
        let reason = passing.flatMap { now - $0.at < Self.memory ? $0.text : nil }
        passing = (error.code == .allBrokersDown ? reason ?? error.description : error.description, now)
    }

    /// Records the failure of an operation that may be refused.
    ///
    /// - Parameters:
    ///   - work: The failed operation.
    ///   - error: The reported error. Only a missing permission counts.
    mutating func failed(_ work: Work, _ error: KafkaError) {
        guard error.meansForbidden else { return }
        if case .reading(let partition) = work { quiet.remove(partition) }
        refusals[work] = "\(error); \(error.remedy(for: right(for: work, error)))"
    }

    /// The remedy for a partition without an offset, or with an offset that its log does not contain.
    static let remedyForOffsets =
        "the partition is not read, others are; set kafka.startAt to earliest (or latest, which skips records), or "
        + "stop the workers, set the offset with 'kafka-consumer-groups --reset-offsets' and start them again"

    /// Records that a partition is not read because it has no start offset.
    mutating func stopped(_ partition: TopicPartition, by error: KafkaError) {
        stopped[partition] = "\(error); \(Self.remedyForOffsets)"
    }

    /// Records that a record was not written.
    mutating func writeFailed(_ error: KafkaError, at now: Instant) {
        // Records that a closing producer discards are not the cause of a fault.
        guard !["_PURGE_QUEUE", "_PURGE_INFLIGHT"].contains(error.code.rawValue) else { return }
        var text = error.description
        if error.meansForbidden {
            let topic = error.partition.map { " \($0.topic)" } ?? ""
            text += "; \(error.remedy(for: "Write on the topic\(topic)"))"
        }
        writeFailure = WriteFailure(text: text, isForbidden: error.meansForbidden, at: now)
    }

    /// Records that an operation succeeded.
    mutating func succeeded(_ work: Work) {
        passing = nil
        refusals[work] = nil
    }

    /// Records that messages were received.
    mutating func received(_ messages: [KafkaMessage]) {
        passing = nil
        guard !refusals.isEmpty else { return }
        for message in messages { refusals[.reading(message.topicPartition)] = nil }
    }

    /// Records the response of a partition's leader. Without unread records, nothing else shows that a permission was granted
    /// again.
    mutating func recordPoll(of partition: TopicPartition, isBehind: Bool) {
        unanswered[partition] = nil
        if isBehind { quiet.remove(partition) } else { quiet.insert(partition) }
    }

    /// Forgets missing responses for all partitions except these, which are ours: one may be revoked while its leader is asked.
    mutating func beginPoll(_ partitions: [TopicPartition]) {
        unanswered = unanswered.filter { partitions.contains($0.key) }
    }

    /// Records that a partition's leader did not respond. Until it does, nothing else may show the fault.
    mutating func recordPollFailure(of partition: TopicPartition, _ error: KafkaError) {
        guard !error.meansForbidden else { return failed(.reading(partition), error) }
        unanswered[partition] = "\(error); check that the broker that leads it runs and responds"
    }

    /// Forgets the faults of revoked partitions.
    mutating func left(_ partitions: [TopicPartition]) {
        for partition in partitions {
            refusals[.reading(partition)] = nil
            unanswered[partition] = nil
            stopped[partition] = nil
            quiet.remove(partition)
        }
    }

    private func isIdle(_ work: Work) -> Bool {
        if case .reading(let partition) = work { quiet.contains(partition) } else { false }
    }

    private func right(for work: Work, _ error: KafkaError) -> String {
        let topic = error.partition.map { " \($0.topic)" } ?? ""
        return switch work {
        case .reading(let partition): "Read on the topic \(partition.topic)"
        case .membership, .committing:
            error.code == .topicForbidden ? "Read on the topic\(topic)" : "Read on the group \(group)"
        }
    }
}

extension KafkaError {
    /// The permission that our producers need before they use any topic.
    static let rightToWriteIdempotently = "IdempotentWrite on the cluster, or Write on any topic"

    /// The remedy for a missing permission.
    ///
    /// - Parameter right: The permission that the operation needs, unless the error names another.
    /// - Returns: A message for operators, in the words of Kafka's access lists.
    func remedy(for right: String) -> String {
        let right = code == .clusterForbidden ? Self.rightToWriteIdempotently : right
        return "give the worker's user the right \(right)"
    }
}
