import Kafka
import Timestamps

/// The queues of all ledgers' partitions, made as they are needed.
struct LedgerQueues {
    /// The topics, in the order of the sources.
    let topics: [String]
    private let headers: [KafkaHeader]
    /// By the number of the ledger and that of the partition.
    private var queues: [[LedgerQueue]]

    /// Makes queues without records.
    ///
    /// - Parameters:
    ///   - topics: The ledgers, in the order of the sources.
    ///   - headers: What each record carries.
    init(topics: [String], headers: [KafkaHeader]) {
        self.topics = topics
        self.headers = headers
        queues = topics.map { _ in [] }
    }

    /// The queue of a partition.
    ///
    /// - Parameters:
    ///   - ledger: Its place among the topics.
    ///   - partition: Of a source that is ours.
    subscript(ledger: Int, partition: Int32) -> LedgerQueue {
        get { index(partition, in: ledger).map { queues[ledger][$0] } ?? emptyQueue(of: ledger) }
        _modify {
            while queues[ledger].count <= Int(partition) { queues[ledger].append(emptyQueue(of: ledger)) }
            yield &queues[ledger][Int(partition)]
        }
    }

    /// When something has its turn though nothing is reported; `nil` where nothing waits, or for reports.
    var due: Instant? {
        let moment = moment
        return queues.lazy.joined().compactMap { $0.due(after: moment) }.min()
    }

    /// How long after a partition's batch the next one goes: a broker's work is by the request more than by the record, and
    /// each request is for one partition.
    private var moment: Duration {
        let busyCount = queues.reduce(0) { $0 + $1.count { $0.isBusy } }
        return max(Self.shortestMoment, Self.momentOfEach * busyCount)
    }

    static let shortestMoment = Duration.milliseconds(1)
    private static let momentOfEach = Duration.microseconds(500)

    /// Hands over what waits and has its turn.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - isLast: Whether nothing will follow.
    ///   - produce: Takes what one partition gets.
    mutating func produce(now: Instant, isLast: Bool, _ produce: (KafkaRecordBatch) -> Void) {
        let moment = moment
        for ledger in queues.indices {
            for partition in queues[ledger].indices {
                queues[ledger][partition].produce(after: moment, now: now, isLast: isLast, produce)
            }
        }
    }

    private func index(_ partition: Int32, in ledger: Int) -> Int? {
        Int(partition) < queues[ledger].count ? Int(partition) : nil
    }

    private func emptyQueue(of ledger: Int) -> LedgerQueue {
        LedgerQueue(KafkaRecordBatch(topic: topics[ledger], headers: headers))
    }
}
