import Kafka
import Locks
import Publishing
import StructuredLog
import Timestamps

/// The delegate of the consumer and the producers, which forwards their reports to the publishing thread.
final class KafkaEventForwarder: KafkaConsumerDelegate, KafkaProducerDelegate {
    private let loop: PublishingThread
    private let logger: Logger
    private let faultLog: KafkaFaultLog
    /// The time limit for giving partitions back.
    private let drain: Duration
    /// Whether partitions are read only after their ledger.
    private let keepsLedger: Bool
    /// The records that Kafka lost.
    let losses: LostRecords
    private let faults: Locked<KafkaHealth>
    /// Ends the worker if it cannot continue.
    let fatal: FatalFault

    init(
        loop: PublishingThread,
        group: String,
        drain: Duration,
        keepsLedger: Bool,
        losses: LostRecords,
        fatal: FatalFault? = nil,
        faultLog: KafkaFaultLog? = nil,
        logger: Logger
    ) {
        self.loop = loop
        self.faults = Locked(KafkaHealth(group: group))
        self.drain = drain
        self.keepsLedger = keepsLedger
        self.losses = losses
        self.fatal = fatal ?? FatalFault(logger: logger)
        self.logger = logger
        self.faultLog = faultLog ?? KafkaFaultLog(logger)
    }

    /// The current Kafka faults. They end when records come, an offset is committed, or a minute passes without a fault:
    /// without traffic, nothing else shows that the brokers have recovered. Authorization errors remain until the operation
    /// succeeds.
    func presentFaults(at now: Timestamp) -> [String] { faults.withLock { $0.present(at: now) } }

    /// The latest failure to write a record.
    var writeFailure: KafkaHealth.WriteFailure? { faults.withLock { $0.writeFailure } }

    /// Records whether the leader of a partition has unread records.
    func looked(at partition: KafkaTopicPartition, isBehind: Bool) {
        faults.withLock { $0.looked(at: partition, isBehind: isBehind) }
    }

    /// Records the partitions whose leaders are about to be asked.
    func beginPoll(_ partitions: [KafkaTopicPartition]) { faults.withLock { $0.beginPoll(partitions) } }

    /// Records that the leader of a partition did not respond.
    func recordPollFailure(of partition: KafkaTopicPartition, _ error: KafkaError) {
        faults.withLock { $0.recordPollFailure(of: partition, error) }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didReceive messages: [KafkaMessage]) {
        faults.withLock { $0.received(messages) }
        loop.receive(messages)
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [KafkaTopicPartition]) {
        faults.withLock { $0.succeeded(.membership) }
        logger.notice("partitions were assigned", metadata: [LogKey.partitions: .string(partitions.listed)])
        if keepsLedger { consumer.setReading(false, of: partitions) }
        loop.post(.assigned(partitions.map(SourcePartition.init)))
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [KafkaTopicPartition],
        deadline: Duration
    ) -> [KafkaTopicPartition: Int64] {
        let offsets = loop.drain(partitions.map(SourcePartition.init), within: min(drain, deadline))
        faults.withLock { $0.left(partitions) }
        logger.notice("partitions were revoked", metadata: [LogKey.partitions: .string(partitions.listed)])
        return Dictionary(uniqueKeysWithValues: offsets.map { (KafkaTopicPartition($0), $1) })
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [KafkaTopicPartition]) {
        logger.warning(
            "partitions were lost: requests in flight may be sent again by the next owner",
            metadata: [LogKey.partitions: .string(partitions.listed)]
        )
        faults.withLock { $0.left(partitions) }
        loop.post(.lost(partitions.map(SourcePartition.init)))
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didCommit offsets: [KafkaTopicPartition: Int64], error: KafkaError?) {
        if let error {
            faults.withLock { $0.failed(.committing, error) }
            logger.warning(
                "offsets were not committed; committing is retried",
                metadata: [LogKey.detail: .string(error.description)]
            )
        } else {
            faults.withLock { $0.succeeded(.committing) }
        }
        loop.post(.commit(offsets.keys.map(SourcePartition.init), succeeded: error == nil))
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didFail error: KafkaError) {
        if let partition = error.partition, [.noOffset, .offsetOutOfRange].contains(error.code) {
            faults.withLock { $0.stopped(partition, by: error) }
            return logger.error(
                "a partition is not read: it has no valid offset, and no rule says where to start",
                metadata: [
                    LogKey.detail: .string(error.description), LogKey.remedy: .string(KafkaHealth.remedyForOffsets),
                ]
            )
        }
        record(error)
        if error.isFatal { fatal.report(WorkerFault(error.description)) }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didMiss gap: KafkaLogGap) {
        losses.add(gap)
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        faults.withLock { $0.succeeded(.reading(partition)) }
    }

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        for report in reports {
            guard case .failure(let error) = report.result else { continue }
            faults.withLock { $0.writeFailed(error, at: .now) }
        }
        losses.reported(reports)
        loop.post(.delivered(reports))
    }

    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {
        // Refused records are reported one by one, and their success is visible.
        guard error.meansForbidden else { return record(error) }
        faults.withLock { $0.writeFailed(error, at: .now) }
        log(error)
    }

    private func record(_ error: KafkaError) {
        faults.withLock { $0.failed(error, at: .now()) }
        log(error)
    }

    private func log(_ error: KafkaError) {
        faultLog.log("Kafka reported an error", error, level: .error)
    }
}

extension SourcePartition {
    init(_ partition: KafkaTopicPartition) {
        self.init(topic: partition.topic, number: partition.partition)
    }
}

extension KafkaTopicPartition {
    init(_ partition: SourcePartition) {
        self.init(topic: partition.topic, partition: partition.number)
    }
}

extension [KafkaTopicPartition] {
    /// A list such as `news[0], news[3]`.
    fileprivate var listed: String { sorted().map(\.description).joined(separator: ", ") }
}
