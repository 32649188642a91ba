import Kafka
import Locks
import Publishing
import StructuredLog
import Timestamps

/// Reads the control topic: its history at the start, then each new order at once.
///
/// Nothing is sent before the orders in force are known. A cluster without the topic has no orders; the topic is read as soon
/// as it exists. If it was deleted and created again, all of it is read again.
final class ControlReader: KafkaReaderDelegate {
    private struct State: Sendable {
        var log = ControlLog()
        /// Why the history cannot be read; tried again.
        var fault: String?
    }

    /// The partition with the orders.
    let partition: KafkaTopicPartition
    private let loop: PublishingLoop
    private let reloader: RuleReloader
    private let logLevel: LogLevelSetter
    private let logger: Logger
    private let state = Locked(State())
    /// Ends once the orders in force are known.
    let areOrdersKnown = OneShot<Bool>()
    private let reader = Locked<KafkaReader?>(nil)

    /// Makes a reader that has not begun.
    ///
    /// - Parameters:
    ///   - topic: The control topic.
    ///   - loop: Gets holds and releases.
    ///   - reloader: Gets orders to read the configuration again.
    ///   - logLevel: Gets orders to log more or less.
    ///   - logger: For records that are not obeyed, and faults.
    init(topic: String, loop: PublishingLoop, reloader: RuleReloader, logLevel: LogLevelSetter, logger: Logger) {
        self.partition = KafkaTopicPartition(topic: topic, partition: 0)
        self.loop = loop
        self.reloader = reloader
        self.logLevel = logLevel
        self.logger = logger
    }

    /// Begins to read.
    func open(_ client: KafkaConfiguration) throws(KafkaError) {
        var configuration = KafkaReaderConfiguration(client: client)
        // A reader that stays asks seldom; a new order is answered at once.
        configuration.emptyFetchWait = .milliseconds(500)
        let reader = try KafkaReader(configuration, delegate: self)
        self.reader.withLock { $0 = reader }
        reader.start(partition, at: .beginning)
    }

    /// Takes where the topic ended a moment ago: only the records before it have to be known.
    func learn(_ ends: KafkaWatermarks) {
        change { $0.learn(ends) }
    }

    func close() async {
        await reader.withLock { $0.take() }?.close(deadline: .seconds(5))
    }

    /// Why the orders in force are not known; `nil` once they are.
    var fault: String? {
        state.withLock { state in
            state.log.isFollowing ? nil : state.fault ?? "the orders in \(partition.topic) are being read"
        }
    }

    // MARK: KafkaReaderDelegate, on the reader's thread

    func kafkaReader(_ reader: KafkaReader, didStart partition: KafkaTopicPartition, at offset: KafkaOffset) {
        // An answer about the ends may have come before the first start: it is of the same history.
        state.withLock { state in
            if state.log.isFollowing { state.log.begin() }
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        for message in messages {
            let at = message.timestamp ?? .now()
            change { $0.receive(key: message.key, value: message.value, at: message.offset, written: at) }
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        change { $0.reachEnd() }
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        switch error.code {
        case .unknownTopic, .unknownTopicOrPartition: return isMissing()
        case .offsetOutOfRange: return readAgain(reader, error)
        default: break
        }
        let remedy =
            error.meansForbidden ? error.remedy(for: "Read on the topic \(self.partition.topic)") : "tried again"
        let text = "\(self.partition.topic): \(error); \(remedy)"
        state.withLock { $0.fault = text }
        logger.warning("the control topic's reader reports a fault", metadata: [LogKey.detail: .string(text)])
    }

    /// Goes on without orders. Holds that are in force stay so.
    private func isMissing() {
        guard !state.withLock({ $0.log.isFollowing }) else { return }
        change { $0.reachEnd() }
        logger.warning(
            "the control topic does not exist, so sources cannot be paused",
            metadata: [
                LogKey.topic: .string(partition.topic),
                LogKey.remedy: .string("make it with 'newsflash topics create'; it is used as soon as it is there"),
            ]
        )
    }

    /// Reads the whole topic again, whose offsets have gone back.
    private func readAgain(_ reader: KafkaReader, _ error: KafkaError) {
        logger.error(
            "the control topic has lost orders, and is read again; pauses that it has lost stay in force here",
            metadata: [
                LogKey.topic: .string(partition.topic), LogKey.detail: .string(error.description),
                LogKey.remedy: .string("pause or resume each source again; 'newsflash status' shows what is paused"),
            ]
        )
        reader.start(partition, at: .beginning)
    }

    private func change(_ change: (inout ControlLog) -> [ControlLog.Effect]) {
        // Effects go out under the lock, so that two threads cannot exchange their order.
        let isFollowing = state.withLock { state in
            for effect in change(&state.log) { perform(effect) }
            return state.log.isFollowing
        }
        if isFollowing { areOrdersKnown.end(with: true) }
    }

    private func perform(_ effect: ControlLog.Effect) {
        switch effect {
        case .controlled(let change): loop.post(.controlled(change))
        case .logLevel(let order): logLevel.obey(order)
        case .reload(let order): reloader.reload(.order(order))
        case .remark(let remark): log(remark)
        }
    }

    private func log(_ remark: ControlLog.Remark) {
        var metadata: LogMetadata = [
            LogKey.topic: .string(partition.topic), LogKey.offset: LogValue(remark.offset), "key": .string(remark.key),
        ]
        switch remark.cause {
        case .unreadable(let detail):
            metadata[LogKey.detail] = .string(detail)
            metadata[LogKey.remedy] = .string("give the order again: compaction may delete the one before it")
            logger.error("an order cannot be read and is passed over", metadata: metadata)
        case .unknown(let act):
            metadata["act"] = .string(act)
            logger.notice("an order of a newer version is passed over", metadata: metadata)
        }
    }
}
