import Kafka
import Locks
import Publishing
import StructuredLog
import Timestamps

/// Reads the control topic: its history at the start, then each new order at once.
///
/// Nothing is sent before the orders in force are known. A cluster without the topic has no orders; the topic is read as soon
/// as it exists. If it cannot be read any further (it was deleted and created again, or may not be read any more), the reader
/// starts again at its beginning until it can.
final class ControlReader: KafkaReaderDelegate {
    private struct State: Sendable {
        var log = ControlLog()
        var hasStarted = false
        /// Whether nothing has come since the reader started again: the next record is the first of the topic.
        var isAtBeginning = false
        /// Why orders cannot be read; tried again.
        var fault: String?
        /// The fault that was logged last; each is logged once.
        var logged: String?
    }

    /// The partition with the orders.
    let partition: KafkaTopicPartition
    private let loop: PublishingLoop
    private let orders: ControlWriter?
    private let reloader: RuleReloader
    private let logLevel: LogLevelSetter
    private let logger: Logger
    private let faultLog: KafkaFaultLog
    private let state = Locked(State())
    /// Ends once the orders in force are known.
    let areOrdersKnown = OneShot<Bool>()
    private let reader = Locked<KafkaReader?>(nil)

    /// Makes a reader that has not begun.
    ///
    /// - Parameters:
    ///   - topic: The control topic.
    ///   - loop: Gets holds and releases.
    ///   - orders: The writer of this worker's own orders, which learns of those of others.
    ///   - reloader: Gets orders to read the configuration again.
    ///   - logLevel: Gets orders to log more or less.
    ///   - faultLog: The log of the worker's clients of Kafka; by default one of its own.
    ///   - logger: For records that are not obeyed, and faults.
    init(
        topic: String,
        loop: PublishingLoop,
        orders: ControlWriter? = nil,
        reloader: RuleReloader,
        logLevel: LogLevelSetter,
        faultLog: KafkaFaultLog? = nil,
        logger: Logger
    ) {
        self.partition = KafkaTopicPartition(topic: topic, partition: 0)
        self.loop = loop
        self.orders = orders
        self.reloader = reloader
        self.logLevel = logLevel
        self.logger = logger
        self.faultLog = faultLog ?? KafkaFaultLog(logger)
    }

    /// Begins to read.
    func open(_ client: KafkaConfiguration) throws(KafkaError) {
        var configuration = KafkaReaderConfiguration(client: client, recovery: .restart)
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

    /// How long the thread that reads orders has given no sign of life.
    var silences: [ReaderSilence] {
        let reader = reader.withLock { $0 }
        return reader.map { [ReaderSilence("the control topic", since: $0.lastServed)] } ?? []
    }

    func close() async {
        await reader.withLock { $0.take() }?.close(deadline: .seconds(5))
    }

    /// Why orders are not known; `nil` if all are.
    var fault: String? {
        state.withLock { state in
            state.fault ?? (state.log.isFollowing ? nil : "the orders in \(partition.topic) are being read")
        }
    }

    // MARK: KafkaReaderDelegate, on the reader's thread

    func kafkaReader(_ reader: KafkaReader, didStart partition: KafkaTopicPartition, at offset: KafkaOffset) {
        state.withLock { state in
            // The first start is that of the history which is being read, also if its end is known already.
            state.isAtBeginning = state.hasStarted
            state.hasStarted = true
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        canBeRead()
        for message in messages {
            let at = message.timestamp ?? .now()
            change { $0.receive(key: message.key, value: message.value, at: message.offset, written: at) }
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        canBeRead()
        change { $0.reachEnd() }
    }

    /// Begins the history again if this is the first sign of the topic after a start.
    private func canBeRead() {
        state.withLock { state in
            if state.isAtBeginning, state.log.isFollowing { state.log.begin() }
            state.isAtBeginning = false
            state.fault = nil
            state.logged = nil
        }
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        switch error.code {
        case .unknownTopic, .unknownPartition, .unknownTopicOrPartition: isMissing()
        case .offsetOutOfRange: hasLostOrders(error)
        default: cannotBeRead(error, isOver: partition != nil && !error.isRetriable)
        }
    }

    /// Goes on without orders. Holds that are in force stay so.
    private func isMissing() {
        change { $0.reachEnd() }
        state.withLock { $0.fault = nil }
        guard isNew("missing") else { return }
        logger.warning(
            "the control topic does not exist, so sources cannot be paused",
            metadata: [
                LogKey.topic: .string(partition.topic),
                LogKey.remedy: .string("make it with 'newsflash topics create'; it is used as soon as it is there"),
            ]
        )
    }

    /// Logs that the offsets have gone back: the whole topic is read again.
    private func hasLostOrders(_ error: KafkaError) {
        state.withLock { $0.fault = "\(partition.topic) has lost orders and is read again; pauses stay in force" }
        guard isNew(error.description) else { return }
        logger.error(
            "the control topic has lost orders, and is read again; pauses that it has lost stay in force here",
            metadata: [
                LogKey.topic: .string(partition.topic), LogKey.detail: .string(error.description),
                LogKey.remedy: .string("pause or resume each source again; 'newsflash status' shows what is paused"),
            ]
        )
    }

    /// Takes a fault for which the reader starts again (`isOver`), or goes on, perhaps without another sign.
    private func cannotBeRead(_ error: KafkaError, isOver: Bool) {
        let remedy =
            error.meansForbidden ? error.remedy(for: "Read on the topic \(partition.topic)") : "tried again"
        let text = "\(partition.topic): \(error); \(remedy)"
        state.withLock { state in
            if isOver || !state.log.isFollowing { state.fault = text }
        }
        guard isNew(text) else { return }
        faultLog.log("the control topic's reader reports a fault", error, text)
    }

    private func isNew(_ text: String) -> Bool {
        state.withLock { state in
            defer { state.logged = text }
            return state.logged != text
        }
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
        case .controlled(let change):
            orders?.read(change)
            loop.post(.controlled(change))
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
