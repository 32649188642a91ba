import Kafka
import Timestamps

/// What Kafka complains about, for the person on call.
///
/// Most complaints pass, and are forgotten after a minute without another. That a right is missing librdkafka says once, however
/// long it lasts: such a refusal stands until the same work succeeds.
struct KafkaFaults: Sendable {
    /// Work that may be refused, and that is seen to succeed.
    enum Work: Hashable, Sendable {
        /// Being one of the group, which has this topic to share.
        case membership
        case reading(KafkaTopicPartition)
        case committing
    }

    /// Why a record was not written.
    struct WriteFailure: Sendable, Equatable {
        var text: String
        /// Whether it takes a person to mend it.
        var isForbidden: Bool
        var at: Instant
    }

    /// How long a complaint counts that is not made again; librdkafka repeats most that last within half a minute.
    static let memory = Duration.seconds(60)

    private var passing: (text: String, at: Timestamp)?
    private var refusals: [Work: String] = [:]
    /// Partitions that are not read until a person decides where to begin.
    private var stopped: [KafkaTopicPartition: String] = [:]
    /// Partitions that had nothing to read, when their leader was asked last.
    private var quiet: Set<KafkaTopicPartition> = []
    /// Partitions of which no leader answered when it was asked last.
    private var unanswered: [KafkaTopicPartition: String] = [:]
    /// The latest failure of a record. Whether it is over is seen by what is still unconfirmed.
    private(set) var writeFailure: WriteFailure?
    private let group: String

    /// Begins without any.
    ///
    /// - Parameter group: What refusals name.
    init(group: String) {
        self.group = group
    }

    /// What is wrong at an instant, each with what to do; empty where nothing is known to be.
    func present(at now: Timestamp) -> [String] {
        let refused = refusals.filter { !isIdle($0.key) }.values.sorted()
        let standing = refused + stopped.values.sorted() + unanswered.values.sorted()
        guard let passing, now - passing.at < Self.memory, !standing.contains(where: { $0.hasPrefix(passing.text) })
        else { return standing }
        return standing + [passing.text]
    }

    /// Takes note of a complaint.
    ///
    /// - Parameters:
    ///   - error: What is said.
    ///   - now: The present.
    mutating func failed(_ error: KafkaError, at now: Timestamp) {
        guard !error.meansForbidden else {
            let isOfPartition = error.partition.map { $0.partition >= 0 } ?? false
            return failed(error.partition.flatMap { isOfPartition ? .reading($0) : nil } ?? .membership, error)
        }
        // That no broker is left is said right after why, and must not hide it.
        let reason = passing.flatMap { now - $0.at < Self.memory ? $0.text : nil }
        passing = (error.code == .allBrokersDown ? reason ?? error.description : error.description, now)
    }

    /// Takes note that work failed which may be refused.
    ///
    /// - Parameters:
    ///   - work: What failed.
    ///   - error: What is said; only that a right is missing counts.
    mutating func failed(_ work: Work, _ error: KafkaError) {
        guard error.meansForbidden else { return }
        if case .reading(let partition) = work { quiet.remove(partition) }
        refusals[work] = "\(error); \(error.remedy(for: right(for: work, error)))"
    }

    /// The remedy for a partition without an offset, or with one that is not in its log.
    static let remedyForOffsets =
        "the partition is not read, others are; set kafka.startAt to earliest (or latest, which passes over records), or "
        + "stop the workers and set the offset with 'kafka-consumer-groups --reset-offsets', and start them again"

    /// Records that a partition is not read, because nobody has said where to begin.
    mutating func stopped(_ partition: KafkaTopicPartition, by error: KafkaError) {
        stopped[partition] = "\(error); \(Self.remedyForOffsets)"
    }

    /// Takes note that a record was not written.
    mutating func writeFailed(_ error: KafkaError, at now: Instant) {
        // What a producer takes back when it ends is not why it ended.
        guard !["_PURGE_QUEUE", "_PURGE_INFLIGHT"].contains(error.code.rawValue) else { return }
        var text = error.description
        if error.meansForbidden {
            let topic = error.partition.map { " \($0.topic)" } ?? ""
            text += "; \(error.remedy(for: "Write on the topic\(topic)"))"
        }
        writeFailure = WriteFailure(text: text, isForbidden: error.meansForbidden, at: now)
    }

    /// Takes note that work succeeded.
    mutating func succeeded(_ work: Work) {
        passing = nil
        refusals[work] = nil
    }

    /// Takes note that records came.
    mutating func received(_ messages: [KafkaMessage]) {
        passing = nil
        guard !refusals.isEmpty else { return }
        for message in messages { refusals[.reading(message.topicPartition)] = nil }
    }

    /// Takes note of what a partition's leader says. Where there is nothing to read, nothing tells that it may be read again.
    mutating func looked(at partition: KafkaTopicPartition, isBehind: Bool) {
        unanswered[partition] = nil
        if isBehind { quiet.remove(partition) } else { quiet.insert(partition) }
    }

    /// Forgets what leaders did not answer of other partitions than these, which are ours: one may have left while it was asked.
    mutating func willAsk(_ partitions: [KafkaTopicPartition]) {
        unanswered = unanswered.filter { partitions.contains($0.key) }
    }

    /// Takes note that a partition's leader did not say what it has: while it is silent nothing else may tell of it.
    mutating func asked(_ partition: KafkaTopicPartition, inVain error: KafkaError) {
        guard !error.meansForbidden else { return failed(.reading(partition), error) }
        unanswered[partition] = "\(error); see that the broker which leads it runs and answers"
    }

    /// Forgets what was said of partitions that have left.
    mutating func left(_ partitions: [KafkaTopicPartition]) {
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
    /// What a producer of ours needs before it knows of any topic.
    static let rightToWriteIdempotently = "IdempotentWrite on the cluster, or Write on any topic"

    /// What gives a right back.
    ///
    /// - Parameter right: What the work needs, where the error does not say that it is another.
    /// - Returns: For people; the words are those of Kafka's access lists.
    func remedy(for right: String) -> String {
        let right = code == .clusterForbidden ? Self.rightToWriteIdempotently : right
        return "give the worker's user the right \(right)"
    }
}
