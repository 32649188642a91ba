import Kafka
import Locks
import Publishing
import StructuredLog
import Timestamps

/// Reads the orders to hold or release sources, to read the configuration again and to log more: all that the control topic keeps, and from there on each new one at once.
///
/// Nothing is sent before the orders in force are known. A cluster without the topic has no orders; it is looked for on, and
/// read once it is there.
final class ControlReader: KafkaReaderDelegate {
    /// How far the reading is.
    private enum Phase: Sendable {
        /// What was there at the start is being read.
        case starting(OrderCatchUp)
        /// All that was there is read, or there is no topic.
        case following
        /// Cannot be read; tried on.
        case failed(String)
    }

    /// Where the orders lie.
    let partition: KafkaTopicPartition
    private let loop: PublishingLoop
    private let reloader: RuleReloader
    private let logLevel: LogLevelSetter
    private let logger: Logger
    private let phase = Locked(Phase.starting(OrderCatchUp()))
    /// Ends once the orders in force are known.
    let areOrdersKnown = OneShot<Bool>()
    private let reader = Locked<KafkaReader?>(nil)

    /// Makes a reader that has not begun.
    ///
    /// - Parameters:
    ///   - topic: The control topic.
    ///   - loop: Hears of holds and releases.
    ///   - reloader: Hears that the configuration is to be read again.
    ///   - logLevel: Hears how much is to be logged.
    ///   - logger: Tells people.
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
        // Who stays asks seldom; a new order is answered at once.
        configuration.emptyFetchWait = .milliseconds(500)
        let reader = try KafkaReader(configuration, delegate: self)
        self.reader.withLock { $0 = reader }
        reader.start(partition, at: .beginning)
    }

    /// Takes where the topic ended a moment ago: what is there before is all that has to be known.
    func learn(_ ends: KafkaWatermarks) {
        advance { $0.learn(ends) }
    }

    func close() async {
        await reader.withLock { $0.take() }?.close(deadline: .seconds(5))
    }

    /// Why the orders in force are not known; `nil` once they are.
    var fault: String? {
        phase.withLock { phase in
            switch phase {
            case .starting: "the orders in \(partition.topic) are being read"
            case .following: nil
            case .failed(let fault): fault
            }
        }
    }

    // MARK: KafkaReaderDelegate, on the reader's thread

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        for message in messages {
            // What comes after the end that was known is new.
            advance { $0.come(to: message.offset) }
            guard let value = message.value else { continue }
            do throws(ControlRecordError) {
                obey(try ControlOrderCodec.decode(value.span), at: message.offset)
            } catch {
                logger.error(
                    "an order cannot be read and is passed over",
                    metadata: [
                        LogKey.topic: .string(partition.topic), LogKey.offset: LogValue(message.offset),
                        LogKey.detail: .string(error.description),
                    ]
                )
            }
        }
        if let last = messages.last { advance { $0.come(to: last.offset + 1) } }
    }

    /// Goes on within the start, which ends where all that was there is read.
    private func advance(_ change: (inout OrderCatchUp) -> Void) {
        let isOver = phase.withLock { phase in
            guard case .starting(var progress) = phase else { return false }
            change(&progress)
            phase = .starting(progress)
            return progress.isOver
        }
        if isOver { follow() }
    }

    private func obey(_ order: ControlOrder, at offset: Int64) {
        switch order {
        case .source(let record): loop.controlled(record)
        case .logLevel(let order): logLevel.obey(order)
        case .reload(let order):
            // What the topic had when the worker started is older than the configuration that it has read.
            guard case .following = phase.withLock({ $0 }) else { return }
            reloader.reload(.order(order))
        case .unknown(let act):
            logger.notice(
                "an order of a newer version is passed over",
                metadata: [
                    LogKey.topic: .string(partition.topic), LogKey.offset: LogValue(offset), "act": .string(act),
                ]
            )
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        follow()
    }

    private func follow() {
        phase.withLock { $0 = .following }
        areOrdersKnown.end(with: true)
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        if error.code == .unknownTopic || error.code == .unknownTopicOrPartition {
            let isNew = phase.withLock { phase in
                guard case .following = phase else { return true }
                return false
            }
            guard isNew else { return }
            follow()
            return logger.warning(
                "there is no control topic, so no source can be put on hold",
                metadata: [
                    LogKey.topic: .string(self.partition.topic),
                    LogKey.remedy: .string("make it with 'newsflash topics create'; it is used as soon as it is there"),
                ]
            )
        }
        let remedy =
            error.meansForbidden ? error.remedy(for: "Read on the topic \(self.partition.topic)") : "tried again"
        let text = "\(self.partition.topic): \(error); \(remedy)"
        phase.withLock { phase in
            if case .following = phase { return }
            phase = .failed(text)
        }
        logger.warning("the control topic's reader reports a fault", metadata: [LogKey.detail: .string(text)])
    }
}
