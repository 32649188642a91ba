import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Decides when to look for late writers in the ledger of one of our partitions.
///
/// Records that a worker produced before it lost the partition are written within its producer's timeout, half a minute. So the
/// ledger is checked every five seconds for two minutes: a permanent fetch would cost brokers more than the news does.
struct LateWriterPoller: Sendable {
    let source: TopicPartition
    private var next: Instant?
    private let end: Instant
    /// The next offset to check; the topic's beginning if earlier records were lost.
    private var offset: KafkaOffset

    private static let interval = Duration.seconds(5)
    private static let length = Duration.seconds(120)

    /// Starts after a partition was restored.
    ///
    /// - Parameters:
    ///   - source: The partition.
    ///   - offset: The offset after the last record that was restored.
    ///   - now: The current time.
    init(_ source: TopicPartition, from offset: Int64, now: Instant) {
        self.source = source
        self.offset = .at(offset)
        next = now + Self.interval
        end = now + Self.length
    }

    /// Starts a round if one is due.
    ///
    /// - Returns: The offset to read from; `nil` if no round is due.
    mutating func beginRound(now: Instant) -> KafkaOffset? {
        guard let next, next <= now else { return nil }
        self.next = nil
        return offset
    }

    /// Plans the next round if the time for rounds is not over.
    ///
    /// - Parameters:
    ///   - offset: The end of the ledger's partition.
    ///   - now: The current time.
    mutating func roundEnded(at offset: Int64, now: Instant) {
        self.offset = .at(offset)
        next = now < end ? now + Self.interval : nil
    }

    /// Plans the next round after an incomplete one, even if the time for rounds is over.
    ///
    /// - Parameters:
    ///   - hasLostRecords: Whether the partition no longer has the offset: the next round reads it completely.
    ///   - now: The time of the failure.
    mutating func roundFailed(hasLostRecords: Bool, now: Instant) {
        if hasLostRecords { offset = .beginning }
        next = now + Self.interval
    }
}
