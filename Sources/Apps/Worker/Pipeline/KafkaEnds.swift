import Kafka
import Locks
import Publishing
import StructuredLog
import Timestamps

/// Hears the consumer and the producer, and hands what they say to the publishing thread.
final class KafkaEnds: KafkaConsumerDelegate, KafkaProducerDelegate {
    private let loop: PublishingLoop
    private let logger: Logger
    /// How long giving partitions back may take.
    private let drain: Duration
    /// Whether partitions are read only once their ledger was.
    private let keepsLedger: Bool
    private let fault = Locked<(text: String, at: Timestamp)?>(nil)
    /// How long a complaint counts that is not made again; librdkafka repeats those that last within half a minute.
    private static let memory = Duration.seconds(60)
    /// Ends when the consumer cannot go on.
    let fatal = OneShot<String>()

    init(loop: PublishingLoop, drain: Duration, keepsLedger: Bool, logger: Logger) {
        self.loop = loop
        self.drain = drain
        self.keepsLedger = keepsLedger
        self.logger = logger
    }

    /// What Kafka complains about, until records come, an offset is committed or a minute passes without a complaint: on a
    /// quiet night nothing else tells that the brokers are back.
    func presentFault(at now: Timestamp) -> String? {
        fault.withLock { fault in fault.flatMap { now - $0.at < Self.memory ? $0.text : nil } }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didReceive messages: [KafkaMessage]) {
        clearFault()
        loop.take(messages)
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [KafkaTopicPartition]) {
        clearFault()
        logger.notice("partitions were assigned", metadata: [LogKey.partitions: .string(partitions.listed)])
        if keepsLedger { consumer.setReading(false, of: partitions) }
        loop.assign(partitions.map(SourcePartition.init))
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [KafkaTopicPartition],
        deadline: Duration
    ) -> [KafkaTopicPartition: Int64] {
        let offsets = loop.drain(partitions.map(SourcePartition.init), within: min(drain, deadline))
        logger.notice("partitions leave", metadata: [LogKey.partitions: .string(partitions.listed)])
        return Dictionary(uniqueKeysWithValues: offsets.map { (KafkaTopicPartition($0), $1) })
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [KafkaTopicPartition]) {
        logger.warning(
            "partitions were lost: a request under way that is not answered now may be sent again by the next owner",
            metadata: [LogKey.partitions: .string(partitions.listed)]
        )
        loop.lose(partitions.map(SourcePartition.init))
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didCommit offsets: [KafkaTopicPartition: Int64], error: KafkaError?) {
        if let error {
            logger.warning(
                "offsets were not committed and will be again",
                metadata: [LogKey.detail: .string(error.description)]
            )
        } else {
            clearFault()
        }
        loop.commitEnded(offsets.keys.map(SourcePartition.init), succeeded: error == nil)
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didFail error: KafkaError) {
        note(error)
        if error.isFatal || error.code == .noOffset { fatal.end(with: error.description) }
    }

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        loop.takeReports(reports)
    }

    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {
        note(error)
    }

    private func note(_ error: KafkaError) {
        let now = Timestamp.now()
        fault.withLock { fault in
            // That no broker is left is said right after why, and must not hide it.
            let reason = fault.flatMap { now - $0.at < Self.memory ? $0.text : nil }
            fault = (error.code == .allBrokersDown ? reason ?? error.description : error.description, now)
        }
        logger.error("Kafka reports a fault", metadata: [LogKey.detail: .string(error.description)])
    }

    private func clearFault() {
        fault.withLock { $0 = nil }
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
    /// Such as `news[0], news[3]`.
    fileprivate var listed: String { sorted().map(\.description).joined(separator: ", ") }
}
