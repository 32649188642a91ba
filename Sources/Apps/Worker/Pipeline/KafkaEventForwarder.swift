import NewsflashBasics
import NewsflashKafka
import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// The delegate of the consumer and the producers, which forwards their reports to the publishing thread.
final class KafkaEventForwarder: KafkaConsumerDelegate, KafkaProducerDelegate {
    private let inbox: PublishingInbox
    /// Decode messages on the consumer's thread, which nothing else waits for.
    private let decoders: SourceDecoders
    private let logger: Logger
    private let faultLog: KafkaFaultLog
    /// The time limit for giving partitions back.
    private let drain: Duration
    /// Whether partitions are read only after their ledger.
    private let keepsLedger: Bool
    /// The records that Kafka lost.
    private let losses: LostRecords
    private let faults: Locked<KafkaHealth>
    /// Ends the worker if it cannot continue.
    private let fatalFault: FatalFault

    init(_ context: WorkerContext) {
        inbox = context.inbox
        decoders = context.configuration.sources.decoders
        faults = Locked(KafkaHealth(group: context.configuration.group))
        drain = context.configuration.drain
        keepsLedger = context.configuration.core.keepsLedger
        losses = context.observation.losses
        fatalFault = context.observation.fatalFault
        logger = context.logger
        faultLog = context.observation.faultLog
    }

    /// The current Kafka faults. They end when records come, an offset is committed, or a minute passes without a fault:
    /// without traffic, nothing else shows that the brokers have recovered. Authorization errors remain until the operation
    /// succeeds.
    func presentFaults(at now: Timestamp) -> [String] { faults.withLock { $0.present(at: now) } }

    /// The latest failure to write a record.
    var writeFailure: KafkaHealth.WriteFailure? { faults.withLock { $0.writeFailure } }

    /// Records whether the leader of a partition has unread records.
    func recordPoll(of partition: TopicPartition, isBehind: Bool) {
        faults.withLock { $0.recordPoll(of: partition, isBehind: isBehind) }
    }

    /// Records the partitions whose leaders are about to be asked.
    func beginPoll(_ partitions: [TopicPartition]) { faults.withLock { $0.beginPoll(partitions) } }

    /// Records that the leader of a partition did not respond.
    func recordPollFailure(of partition: TopicPartition, _ error: KafkaError) {
        faults.withLock { $0.recordPollFailure(of: partition, error) }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didReceive messages: [KafkaMessage]) {
        faults.withLock { $0.received(messages) }
        inbox.post(.records(messages.map { DecodedRecord($0, decoders) }))
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [TopicPartition]) {
        faults.withLock { $0.succeeded(.membership) }
        logger.notice("partitions were assigned", metadata: [LogKey.partitions: .string(partitions.listed)])
        if keepsLedger { consumer.setReading(false, of: partitions) }
        inbox.post(.assigned(partitions))
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [TopicPartition],
        deadline: Duration
    ) -> [TopicPartition: Int64] {
        let offsets = inbox.drain(partitions, within: min(drain, deadline))
        faults.withLock { $0.left(partitions) }
        logger.notice("partitions were revoked", metadata: [LogKey.partitions: .string(partitions.listed)])
        return offsets
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [TopicPartition]) {
        logger.warning(
            "partitions were lost: requests in flight may be sent again by the next owner",
            metadata: [LogKey.partitions: .string(partitions.listed)]
        )
        faults.withLock { $0.left(partitions) }
        inbox.post(.lost(partitions))
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didCommit offsets: [TopicPartition: Int64], error: KafkaError?) {
        if let error {
            faults.withLock { $0.failed(.committing, error) }
            logger.warning(
                "offsets were not committed; committing is retried",
                metadata: [LogKey.detail: .string(error.description)]
            )
        } else {
            faults.withLock { $0.succeeded(.committing) }
        }
        inbox.post(.commit(Array(offsets.keys), succeeded: error == nil))
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
        if error.isFatal { fatalFault.report(WorkerFault(error.description)) }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didMiss gap: KafkaLogGap) {
        losses.add(gap)
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didReachEndOf partition: TopicPartition, offset: Int64) {
        faults.withLock { $0.succeeded(.reading(partition)) }
    }

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        for report in reports {
            guard case .failure(let error) = report.result else { continue }
            faults.withLock { $0.writeFailed(error, at: .now) }
        }
        losses.reported(reports)
        inbox.post(.delivered(reports))
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

extension [TopicPartition] {
    /// A list such as `news[0], news[3]`.
    fileprivate var listed: String { sorted().map(\.description).joined(separator: ", ") }
}
