import Kafka
import Publishing
import Timestamps

/// When to look for late writers in the ledger of a partition of ours.
///
/// What a worker sent off before it lost the partition is there within the time that its producer tries, half a minute. So it
/// is looked for every five seconds for two minutes: a standing request for news would cost brokers more than the news do.
struct LedgerWatch: Sendable {
    let source: SourcePartition
    private var next: Instant?
    private let end: Instant
    /// The first offset that was not looked at; the topic's beginning once records before it are lost.
    private var offset: KafkaOffset

    private static let interval = Duration.seconds(5)
    private static let length = Duration.seconds(120)

    /// Begins when a partition was restored.
    ///
    /// - Parameters:
    ///   - source: The partition.
    ///   - offset: The offset after the last record that was restored.
    ///   - now: The present.
    init(_ source: SourcePartition, from offset: Int64, now: Instant) {
        self.source = source
        self.offset = .at(offset)
        next = now + Self.interval
        end = now + Self.length
    }

    /// Begins a round that is due.
    ///
    /// - Returns: Where to read from; `nil` where none is due.
    mutating func takeRound(now: Instant) -> KafkaOffset? {
        guard let next, next <= now else { return nil }
        self.next = nil
        return offset
    }

    /// Plans the next round, or none.
    ///
    /// - Parameters:
    ///   - offset: The end of the ledger's partition.
    ///   - now: The present.
    mutating func roundEnded(at offset: Int64, now: Instant) {
        self.offset = .at(offset)
        next = now < end ? now + Self.interval : nil
    }

    /// Plans the next round after one that could not be read to its end, also if the time for rounds is over.
    ///
    /// - Parameters:
    ///   - hasLostRecords: Whether the partition does not have the offset any more: the next round reads all of it.
    ///   - now: When the round failed.
    mutating func roundFailed(hasLostRecords: Bool, now: Instant) {
        if hasLostRecords { offset = .beginning }
        next = now + Self.interval
    }
}
