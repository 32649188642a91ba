import Kafka
import Locks
import NewsEvents
import Publishing
import StructuredLog

/// Reads single records again: a story's from the ledger, or the words that readers were told from the source.
///
/// These are kills without words, and stories that memory had no room for. What lies together is read in one go
/// (``RecallQueue``).
final class RecordRecall: KafkaReaderDelegate {
    private struct State {
        var client: KafkaConfiguration?
        var reader: KafkaReader?
        var queue = RecallQueue()
    }

    /// By the topic of events.
    private let ledgers: [String: String]
    private let tell: @Sendable (RecalledRecord) -> Void
    private let decode: @Sendable (RecordCopy, _ topic: String) -> DecodeOutcome
    private let logger: Logger
    private let state = Locked(State())

    /// Prepares to read; nothing is read before ``open(_:)``.
    ///
    /// - Parameters:
    ///   - ledgers: The ledger of each topic of events.
    ///   - decode: Reads a record of a topic of events.
    ///   - logger: Hears what cannot be read.
    ///   - tell: Hears of each record that was asked for, found or not.
    init(
        ledgers: [String: String],
        decode: @escaping @Sendable (RecordCopy, _ topic: String) -> DecodeOutcome,
        logger: Logger,
        tell: @escaping @Sendable (RecalledRecord) -> Void
    ) {
        self.ledgers = ledgers
        self.tell = tell
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

    func add(_ recall: RecallOrder, of source: SourcePartition) {
        let order: RecallQueue.Order
        switch recall.place {
        case .ledger(let offset):
            let partition = KafkaTopicPartition(topic: ledgers[source.topic] ?? "", partition: source.number)
            order = RecallQueue.Order(recall: recall, source: source.topic, partition: partition, offset: offset)
        case .source(let offset):
            order = RecallQueue.Order(
                recall: recall,
                source: source.topic,
                partition: KafkaTopicPartition(source),
                offset: offset
            )
        }
        let dropped = state.withLock { state in
            let steps = state.queue.add(order)
            if !steps.isEmpty, !hasReader(&state) { return state.queue.dropOldest() }
            perform(steps, state.reader)
            return nil
        }
        if let dropped { answer(dropped, nil) }
    }

    /// Makes the reader where there is none yet.
    private func hasReader(_ state: inout State) -> Bool {
        if state.reader == nil, let client = state.client {
            var configuration = KafkaReaderConfiguration(client: client, maximumBatch: 100)
            configuration.queuedMessagesPerPartition = Int(RecallQueue.reach)
            configuration.queuedBytesPerPartition = 1 << 20
            configuration.fetchBytesPerPartition = 64 << 10
            // A kill may wait for the answer. Nothing is asked for but while one is waited for.
            configuration.emptyFetchWait = .milliseconds(5)
            state.reader = try? KafkaReader(configuration, delegate: self)
        }
        return state.reader != nil
    }

    /// Under the lock, so that steps are not overtaken by later ones.
    private func perform(_ steps: [RecallQueue.Step], _ reader: KafkaReader?) {
        for step in steps {
            switch step {
            case .read(let partition, let offset): reader?.start(partition, at: .at(offset))
            case .stop(let partition): reader?.stop(partition)
            }
        }
    }

    // MARK: KafkaReaderDelegate, on the reader's thread

    func kafkaReader(_ reader: KafkaReader, didStart partition: KafkaTopicPartition, at offset: KafkaOffset) {
        state.withLock { $0.queue.started(partition) }
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let last = messages.last else { return }
        let ended = state.withLock { state in
            let (ended, steps) = state.queue.came(of: last.topicPartition, upTo: last.offset)
            perform(steps, state.reader)
            return ended
        }
        guard !ended.isEmpty else { return }
        // Compaction may have taken a record away: none of that offset comes.
        let found = Dictionary(messages.map { ($0.offset, $0) }) { $1 }
        for order in ended { answer(order, found[order.offset]) }
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        nothingMore(of: partition)
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        logger.warning("a record cannot be read again", metadata: [LogKey.detail: .string(error.description)])
        // What goes by itself is waited for; a record that is not there any more is an answer.
        guard let partition, !error.isRetriable else { return }
        nothingMore(of: partition)
    }

    private func nothingMore(of partition: KafkaTopicPartition) {
        let ended = state.withLock { state in
            let (ended, steps) = state.queue.nothingMore(of: partition)
            perform(steps, state.reader)
            return ended
        }
        if let ended { answer(ended, nil) }
    }

    private func answer(_ order: RecallQueue.Order, _ message: KafkaMessage?) {
        let id = order.recall.id
        guard let message else { return tell(RecalledRecord(id: id)) }
        switch order.recall.place {
        case .ledger:
            guard let value = message.value, let (story, facts) = try? LedgerRecordCodec.decode(value.span) else {
                return tell(RecalledRecord(id: id))
            }
            let events = facts.waiting.map { waiting in
                let copy = RecordCopy(key: waiting.key, value: waiting.value, headers: waiting.headers)
                return IncomingRecord(
                    partition: order.recall.partition,
                    offset: waiting.offset,
                    timestamp: waiting.timestamp,
                    content: decode(copy, order.source),
                    original: copy
                )
            }
            tell(RecalledRecord(id: id, story: story, facts: facts, events: events))
        case .source:
            guard case .event(let event, warnings: _) = decode(message.copy(), order.source) else {
                return tell(RecalledRecord(id: id))
            }
            tell(RecalledRecord(id: id, story: event.storyKey, text: event.text))
        }
    }
}
