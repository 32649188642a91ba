import Dispatch
import NewsflashBasics
import NewsflashKafka
import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Reads single records again: a story's facts from the ledger, or one event from the source.
///
/// They are needed for stories that had no room in memory, for the texts of kills without texts, and for kills that must be
/// resumed. Neighboring records are read together (``RecallQueue``).
final class RecordRecall: KafkaReaderDelegate {
    private struct State {
        var client: KafkaConfiguration?
        var reader: KafkaReader?
        /// Steps that wait for the reader to be created; `nil` if it is not being created.
        var early: [RecallQueue.Step]?
        var queue = RecallQueue()
        /// The oldest unanswered request, and since when it waits; without a time after it was logged.
        var watched: (order: RecallID, since: Instant?)?
    }

    /// Ledger topics by topic of events.
    private let ledgers: [String: String]
    private let inbox: PublishingInbox
    private let decoders: SourceDecoders
    /// Whether a damaged record of the ledger counts as missing. Otherwise its story waits.
    private let ignoresDamage: Bool
    private let logger: Logger
    private let faultLog: KafkaFaultLog
    private let state = Locked(State())
    private let making = DispatchQueue(label: "newsflash.recall")

    private static let longWait = Duration.seconds(10)
    /// The time that a new leader may need until the latest records are visible.
    private static let patience = DispatchTimeInterval.seconds(10)
    /// The delay after a fault before a partition is read again.
    private static let pause = DispatchTimeInterval.seconds(1)

    /// Makes a recall. Nothing is read before ``open(_:)``.
    init(_ context: WorkerContext) {
        ledgers = context.configuration.sources.ledgers
        decoders = context.configuration.sources.decoders
        ignoresDamage = context.configuration.ledger.ignoresDamage
        inbox = context.inbox
        logger = context.logger
        faultLog = context.observation.faultLog
    }

    /// Sets the cluster. The connection is made when the first record is requested.
    func open(_ client: KafkaConfiguration) {
        state.withLock { $0.client = client }
    }

    /// The time since the last sign of life of the thread that reads records; empty before the first request.
    var silences: [ReaderSilence] {
        let reader = state.withLock { $0.reader }
        return reader.map { [ReaderSilence("records of stories", since: $0.lastServed)] } ?? []
    }

    func close() async {
        let reader = state.withLock { state in
            state.client = nil
            state.early = nil
            return state.reader.take()
        }
        await reader?.close(deadline: .seconds(5))
    }

    func add(_ recall: RecallRequest, of source: TopicPartition) {
        let order: RecallQueue.Order
        switch recall.place {
        case .ledger(let offset):
            let partition = TopicPartition(topic: ledgers[source.topic] ?? "", partition: source.partition)
            order = RecallQueue.Order(recall: recall, source: source.topic, partition: partition, offset: offset)
        case .source(let offset):
            order = RecallQueue.Order(recall: recall, source: source.topic, partition: source, offset: offset)
        }
        state.withLock { state in perform(state.queue.add(order), &state) }
    }

    /// Logs each record whose response is late, once: its story waits, and an operator may want to know why.
    func timePassed(now: Instant) {
        let isLate = state.withLock { state in
            guard let oldest = state.queue.oldest else {
                state.watched = nil
                return false
            }
            guard let watched = state.watched, watched.order == oldest else {
                state.watched = (oldest, now)
                return false
            }
            guard let since = watched.since, now - since >= Self.longWait else { return false }
            state.watched?.since = nil
            return true
        }
        guard isLate else { return }
        logger.warning(
            "a record of a story was not read for ten seconds; the story waits, with its flashes and withdrawals"
        )
    }

    /// Creates the reader, outside the publishing thread and the lock, because files with passwords and certificates are read.
    private func makeReader() {
        guard let client = state.withLock({ $0.client }) else { return }
        var configuration = KafkaReaderConfiguration(client: client, recovery: .tell, maximumBatch: 100)
        configuration.queuedMessagesPerPartition = Int(RecallQueue.reach)
        configuration.queuedBytesPerPartition = 1 << 20
        configuration.fetchBytesPerPartition = 64 << 10
        // A kill may wait for the response. Fetches are only made while a request waits.
        configuration.emptyFetchWait = .milliseconds(5)
        let reader: KafkaReader
        do throws(KafkaError) {
            reader = try KafkaReader(configuration, delegate: self)
        } catch {
            tryAgain(after: error, nil)
            return making.asyncAfter(deadline: .now() + Self.pause) { [self] in makeReader() }
        }
        let isNeeded = state.withLock { state in
            guard state.client != nil else { return false }
            state.reader = reader
            perform(state.early.take() ?? [], &state)
            return true
        }
        // Closed in the meantime.
        if !isNeeded { Task { await reader.close(deadline: .seconds(5)) } }
    }

    /// Under the lock, so that steps keep their order.
    private func perform(_ steps: [RecallQueue.Step], _ state: inout State) {
        guard !steps.isEmpty, state.client != nil else { return }
        guard let reader = state.reader else {
            if state.early == nil { making.async { [self] in makeReader() } }
            return state.early = (state.early ?? []) + steps
        }
        for step in steps {
            switch step {
            case .read(let partition, let offset): reader.start(partition, at: .at(offset))
            case .stop(let partition): reader.stop(partition)
            }
        }
    }

    // MARK: KafkaReaderDelegate, on the reader's thread

    func kafkaReader(_ reader: KafkaReader, didStart partition: TopicPartition, at offset: KafkaOffset) {
        state.withLock { $0.queue.started(partition) }
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let last = messages.last else { return }
        let ended = state.withLock { state in
            let (ended, steps) = state.queue.came(of: last.topicPartition, upTo: last.offset)
            perform(steps, &state)
            return ended
        }
        guard !ended.isEmpty else { return }
        // Compaction may have deleted a record: then no record has its offset.
        let found = Dictionary(messages.map { ($0.offset, $0) }) { $1 }
        for order in ended { answer(order, found[order.offset]) }
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64) {
        guard let early = state.withLock({ $0.queue.orderBeyond(offset, of: partition) }) else {
            return nothingMore(of: partition)
        }
        let place: LogMetadata = [
            LogKey.topic: .string(partition.topic), LogKey.partition: LogValue(partition.partition),
            LogKey.offset: LogValue(offset),
        ]
        logger.info("a confirmed record is not visible yet; its story waits for it", metadata: place)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [self] in
            guard let order = change({ $0.giveUp(early) }) else { return }
            logger.error("a confirmed record is missing in its topic; its story continues without it", metadata: place)
            answer(order, nil)
        }
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?) {
        guard let partition else { return faultLog.log("the reader of single records reported an error", error) }
        // A record that no longer exists is an answer. Other faults are not: without its facts a story would be treated as new.
        if error.code == .offsetOutOfRange { return nothingMore(of: partition) }
        tryAgain(after: error, state.withLock { $0.queue.order(readFor: partition) })
    }

    private func tryAgain(after error: KafkaError, _ order: RecallID?) {
        logger.warning(
            "a record cannot be read again; its story waits and reading is retried",
            metadata: [LogKey.detail: .string(error.description)]
        )
        guard let order else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { [self] in
            state.withLock { state in perform(state.queue.readAnew(for: order), &state) }
        }
    }

    private func nothingMore(of partition: TopicPartition) {
        if let ended = change({ $0.nothingMore(of: partition) }) { answer(ended, nil) }
    }

    /// Changes the queue and performs the resulting steps.
    private func change(
        _ body: (inout RecallQueue) -> (ended: RecallQueue.Order?, steps: [RecallQueue.Step])
    ) -> RecallQueue.Order? {
        state.withLock { state in
            let (ended, steps) = body(&state.queue)
            perform(steps, &state)
            return ended
        }
    }

    private func tell(_ record: RecalledRecord) { inbox.post(.recalled(record)) }

    private func answer(_ order: RecallQueue.Order, _ message: KafkaMessage?) {
        let id = order.recall.id
        guard let message else { return tell(RecalledRecord(id: id)) }
        switch order.recall.place {
        case .ledger:
            guard let value = message.value else { return tell(RecalledRecord(id: id)) }
            let (story, facts): (String, StoryFacts)
            do throws(LedgerRecordError) {
                (story, facts) = try LedgerRecordCodec.decode(value.span)
            } catch {
                logger.error(
                    ignoresDamage
                        ? "a story's ledger record cannot be read; the story continues without it because of ledger.damaged: ignore"
                        : "a story's ledger record cannot be read; the story waits",
                    metadata: [
                        LogKey.topic: .string(order.partition.topic),
                        LogKey.partition: LogValue(order.partition.partition),
                        LogKey.detail: .string(LedgerDamage(offset: order.offset, error: error).description),
                        LogKey.remedy: .string("then restart the worker"),
                    ]
                )
                // Without its facts the story would be treated as new.
                return ignoresDamage ? tell(RecalledRecord(id: id)) : ()
            }
            let events = facts.waiting.map { waiting in
                let copy = RecordCopy(key: waiting.key, value: waiting.value, headers: waiting.headers)
                return IncomingRecord(
                    partition: order.recall.partition,
                    offset: waiting.offset,
                    timestamp: waiting.timestamp,
                    content: decoders.decode(copy, of: order.source, writtenAt: waiting.timestamp),
                    original: copy
                )
            }
            tell(RecalledRecord(id: id, story: story, facts: facts, events: events))
        case .source:
            let copy = message.copy()
            let record = IncomingRecord(
                partition: order.recall.partition,
                offset: order.offset,
                timestamp: message.timestamp,
                content: decoders.decode(copy, of: order.source, writtenAt: message.timestamp),
                original: copy
            )
            tell(RecalledRecord(id: id, event: record))
        }
    }
}
