import Kafka
import Locks
import NewsEvents
import Publishing
import StructuredLog

/// Reads single records again: a story's from the ledger, or the words that readers were told from the source.
///
/// One at a time: these are kills without words, and stories that memory had no room for.
final class RecordRecall: KafkaReaderDelegate {
    private struct State {
        var client: KafkaConfiguration?
        var reader: KafkaReader?
        var orders: [Order] = []
        /// Whether the first order is under way, and whether it was begun.
        var isReading = false
        var hasStarted = false
    }

    private struct Order {
        var recall: RecallOrder
        var partition: KafkaTopicPartition
        var offset: Int64
    }

    /// By the topic of events.
    private let ledgers: [String: String]
    private let loop: PublishingLoop
    private let decode: @Sendable (RecordCopy, _ topic: String) -> DecodeOutcome
    private let logger: Logger
    private let state = Locked(State())

    init(
        ledgers: [String: String],
        loop: PublishingLoop,
        decode: @escaping @Sendable (RecordCopy, _ topic: String) -> DecodeOutcome,
        logger: Logger
    ) {
        self.ledgers = ledgers
        self.loop = loop
        self.decode = decode
        self.logger = logger
    }

    /// Names the cluster; connected to when the first record is asked for.
    func open(_ client: KafkaConfiguration) {
        state.withLock { $0.client = client }
    }

    func close() async {
        let reader = state.withLock { state in
            state.client = nil
            return state.reader.take()
        }
        await reader?.close(deadline: .seconds(5))
    }

    func add(_ order: RecallOrder, of source: SourcePartition) {
        let place: Order
        switch order.place {
        case .ledger(let offset):
            let partition = KafkaTopicPartition(topic: ledgers[source.topic] ?? "", partition: source.number)
            place = Order(recall: order, partition: partition, offset: offset)
        case .source(let offset):
            place = Order(recall: order, partition: KafkaTopicPartition(source), offset: offset)
        }
        state.withLock { $0.orders.append(place) }
        next()
    }

    /// Begins the first order, unless one is under way.
    private func next() {
        let failed = state.withLock { state -> Order? in
            guard !state.isReading, let order = state.orders.first else { return nil }
            if state.reader == nil, let client = state.client {
                var configuration = KafkaReaderConfiguration(client: client, maximumBatch: 1)
                configuration.queuedMessagesPerPartition = 1000
                configuration.queuedBytesPerPartition = 1 << 20
                // A kill may wait for the answer. Nothing is asked for but while one is waited for.
                configuration.emptyFetchWait = .milliseconds(5)
                state.reader = try? KafkaReader(configuration, delegate: self)
            }
            guard let reader = state.reader else { return state.orders.removeFirst() }
            state.isReading = true
            state.hasStarted = false
            reader.start(order.partition, at: .at(order.offset))
            return nil
        }
        if let failed {
            answer(failed, nil)
            next()
        }
    }

    // MARK: KafkaReaderDelegate, on the reader's thread

    func kafkaReader(_ reader: KafkaReader, didStart partition: KafkaTopicPartition, at offset: KafkaOffset) {
        state.withLock { state in
            if state.orders.first?.partition == partition { state.hasStarted = true }
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let message = messages.first else { return }
        finish(message.topicPartition, message)
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        finish(partition, nil)
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        logger.warning("a record cannot be read again", metadata: [LogKey.detail: .string(error.description)])
        // What goes by itself is waited for; a record that is not there any more is an answer.
        guard let partition, !error.isRetriable else { return }
        finish(partition, nil)
    }

    private func finish(_ partition: KafkaTopicPartition, _ message: KafkaMessage?) {
        let order = state.withLock { state -> Order? in
            guard state.isReading, state.hasStarted, state.orders.first?.partition == partition else { return nil }
            state.isReading = false
            state.reader?.stop(partition)
            return state.orders.removeFirst()
        }
        guard let order else { return }
        // Compaction may have taken the record away: what comes is a later one.
        answer(order, message?.offset == order.offset ? message : nil)
        next()
    }

    private func answer(_ order: Order, _ message: KafkaMessage?) {
        var found = RecalledStory(story: order.recall.story)
        switch order.recall.place {
        case .ledger:
            if let value = message?.value, let (name, record) = try? LedgerRecordCodec.decode(value.span),
                name == order.recall.name
            {
                found.record = record
            }
        case .source:
            if let message, case .event(let event, warnings: _) = decode(message.copy(), order.partition.topic),
                event.storyKey == order.recall.name
            {
                found.text = event.text
            }
        }
        loop.recalled(found)
    }
}
