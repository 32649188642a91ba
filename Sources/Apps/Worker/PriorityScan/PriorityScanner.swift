import Dispatch
import NewsflashBasics
import NewsflashEvents
import NewsflashKafka
import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Finds flashes ahead of the consumer's read-ahead limit, so that a flash never waits for a backlog.
///
/// While the consumer lags, two readers without a group also read its partitions: one at the end, one from the consumer's
/// position (``PriorityScanPlan``). They check each record's bytes (``ExpressPrefilter``) and pass express events to the core, at most as
/// many as fit in ``memory`` at once. The consumer is not affected: when it reaches these records, the ledger contains them.
final class PriorityScanner: KafkaReaderDelegate, WorkerService {
    private struct State {
        var plan = PriorityScanPlan()
        var readers: Readers?
        var isClosed = false
    }

    private struct CheckState {
        /// The time of the next check.
        var next: Instant?
        /// Whether a check is running, which takes long if readers are created.
        var isChecking = false
    }

    private struct Readers {
        /// Reads the ends of partitions.
        let follower: KafkaReader
        /// Reads the records before.
        let searcher: KafkaReader

        func close() async {
            await follower.close(deadline: .seconds(5))
            await searcher.close(deadline: .seconds(5))
        }
    }

    /// The memory limit for found events until they have ended.
    static let memory = 4 << 20
    private static let interval = Duration.milliseconds(100)

    private let client: KafkaConfiguration
    private let decoders: SourceDecoders
    private let progress: @Sendable (TopicPartition) -> PriorityScanPlan.Progress
    private let isReaderFull: @Sendable () -> Bool
    private let inbox: PublishingInbox
    private let logger: Logger
    private let faultLog: KafkaFaultLog
    private let account: ReadAheadAccount
    /// Signalled when credit was returned, once for each reader that may wait for it.
    private let credit: DispatchSemaphore
    private let state = Locked(State())
    private let checks = Locked(CheckState())
    /// Creates readers, not on the publishing thread, because files with passwords and certificates are read.
    private let queue = DispatchQueue(label: "newsflash.scout")

    /// Prepares a scan; it connects when needed.
    ///
    /// - Parameters:
    ///   - context: The configuration, and what the worker's parts share.
    ///   - progress: The progress of the consumer in one of our partitions.
    ///   - isReaderFull: Whether the consumer has reached its read-ahead limit.
    init(
        _ context: WorkerContext,
        progress: @escaping @Sendable (TopicPartition) -> PriorityScanPlan.Progress,
        isReaderFull: @escaping @Sendable () -> Bool
    ) {
        let credit = DispatchSemaphore(value: 0)
        let bytesBesideMessage = PublishingConfiguration.bytesBesideRecord
        client = context.cluster
        decoders = context.configuration.sources.decoders
        self.progress = progress
        self.isReaderFull = isReaderFull
        inbox = context.inbox
        logger = context.logger
        faultLog = context.observation.faultLog
        self.credit = credit
        account = ReadAheadAccount(KafkaReadAhead(byteLimit: Self.memory, bytesBesideMessage: bytesBesideMessage)) {
            credit.signal()
            credit.signal()
        }
    }

    func shutDown(within limit: Duration) async -> Bool {
        // The lock is held while readers are created, so the cooperative pool must not wait for it.
        let readers = await runBlocking { [self] in
            state.withLock { state in
                state.isClosed = true
                return state.readers.take()
            }
        }
        credit.signal()
        credit.signal()
        await readers?.close()
        return true
    }

    /// Checks the progress of the consumer, and reads ahead of it if it lags. Returns at once.
    ///
    /// - Parameters:
    ///   - working: The partitions in progress; only called if a check is due.
    ///   - now: The current time.
    func timePassed(working: () -> [TopicPartition], now: Instant) {
        let isTime = checks.withLock { checks in
            guard !checks.isChecking, checks.next.map({ $0 <= now }) ?? true else { return false }
            checks = CheckState(next: now + Self.interval, isChecking: true)
            return true
        }
        guard isTime else { return }
        let progress = Dictionary(working().map { ($0, self.progress($0)) }) { $1 }
        let isFull = isReaderFull()
        queue.async { [self] in
            perform { $0.update(with: progress, isFull: isFull, now: now) }
            checks.withLock { $0.isChecking = false }
        }
    }

    /// Asks the plan and performs its steps under one lock, so that steps keep their order.
    private func perform(_ plan: (inout PriorityScanPlan) -> [PriorityScanPlan.Order]) {
        state.withLock { state in
            guard !state.isClosed else { return }
            for order in plan(&state.plan) { perform(order, &state.readers) }
        }
    }

    private func perform(_ order: PriorityScanPlan.Order, _ readers: inout Readers?) {
        switch order {
        case .open:
            do throws(KafkaError) {
                readers = try Readers(
                    follower: KafkaReader(configuration, delegate: self),
                    searcher: KafkaReader(configuration, delegate: self)
                )
                logger.info("the consumer lags: the priority scan looks for flashes ahead of it")
            } catch {
                logger.warning("the priority scan cannot read", metadata: [LogKey.detail: .string(error.description)])
            }
        case .follow(let partition):
            readers?.follower.start(partition, at: .end)
        case .search(let partition, let offset):
            // A partition that was never read is read from its oldest record, whatever its offset.
            readers?.searcher.start(partition, at: offset == 0 ? .beginning : .at(offset))
        case .stopSearching(let partition):
            readers?.searcher.stop(partition)
        case .stop(let partition):
            readers?.follower.stop(partition)
            readers?.searcher.stop(partition)
        case .close:
            guard let old = readers.take() else { return }
            Task { await old.close() }
            logger.info("the consumer has caught up: the priority scan ends")
        }
    }

    /// The configuration of the readers: little memory, because received records are handled at once.
    private var configuration: KafkaReaderConfiguration {
        var configuration = KafkaReaderConfiguration(client: client, recovery: .tell)
        configuration.queuedMessagesPerPartition = 5000
        configuration.queuedBytesPerPartition = 512 << 10
        return configuration
    }

    /// Whether a reader follows the ends or searches the records before; `nil` if it is being closed.
    private func follows(_ reader: KafkaReader) -> Bool? {
        state.withLock { state in
            if state.readers?.follower === reader { return true }
            return state.readers?.searcher === reader ? false : nil
        }
    }

    // MARK: KafkaReaderDelegate, on the readers' threads

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let first = messages.first, let last = messages.last, let follows = follows(reader) else { return }
        let partition = first.topicPartition
        if follows { perform { $0.joined(partition, at: first.offset) } }
        var found: [IncomingAhead] = []
        // The bytes of other formats do not contain kinds as events do, so all their records are decoded.
        let showsKinds = decoders[first.topic].format == .event
        for message in messages where !showsKinds || message.mayBeExpress {
            let content = decoders.decode(message)
            guard case .event(let news, warnings: _) = content, news.lane == .express, news.withheld == nil else {
                continue
            }
            let cost = account.cost(ofBytes: message.byteCount)
            if !account.reserve(cost) {
                hand(over: &found)
                guard waitForCredit(cost, reader) else { return }
            }
            let original = ScannedRecord(message.copy(), account: account, cost: cost)
            found.append(
                IncomingAhead(
                    partition: partition,
                    offset: message.offset,
                    timestamp: message.timestamp,
                    content: content,
                    original: original
                )
            )
        }
        hand(over: &found)
        if !follows { perform { $0.searched(partition, upTo: last.offset + 1) } }
    }

    private func hand(over found: inout [IncomingAhead]) {
        if !found.isEmpty { inbox.post(.ahead(found)) }
        found = []
    }

    /// Waits until previously found events have ended. The reader blocks meanwhile.
    ///
    /// - Returns: Whether there is credit; `false` if the reader is being closed.
    private func waitForCredit(_ cost: Int, _ reader: KafkaReader) -> Bool {
        while !account.reserve(cost) {
            guard follows(reader) != nil else { return false }
            _ = credit.wait(timeout: .now() + .seconds(1))
        }
        return true
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64) {
        guard let follows = follows(reader) else { return }
        perform { follows ? $0.joined(partition, at: offset) : $0.searched(partition, upTo: offset) }
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?) {
        faultLog.log("the reader of the priority scan reported an error", error, level: .info)
        // Transient errors are waited out.
        guard let partition, !error.isRetriable, let follows = follows(reader) else { return }
        perform { follows ? $0.lost(partition) : $0.searched(partition, upTo: nil) }
    }
}

extension PriorityScanPlan.Progress {
    /// The progress of a consumer in one of its partitions.
    init(of partition: TopicPartition, in consumer: KafkaConsumer) {
        self.init(position: consumer.position(of: partition), end: consumer.knownWatermarks(of: partition)?.high)
    }
}

extension KafkaMessage {
    fileprivate var mayBeExpress: Bool {
        withValue { value in
            if let value { ExpressPrefilter.mayBeExpress(value) } else { false }
        }
    }
}

/// A record found ahead of the consumer.
struct IncomingAhead: Sendable {
    var partition: TopicPartition
    var offset: Int64
    var timestamp: Timestamp?
    var content: DecodeOutcome
    var original: ScannedRecord
}

/// A copy of a record found ahead of the consumer. Its last release returns its credit.
final class ScannedRecord: OriginalRecord {
    private let record: RecordCopy
    private let account: ReadAheadAccount
    private let cost: Int

    /// - Parameters:
    ///   - record: The copy.
    ///   - account: The account that granted its credit.
    ///   - cost: The amount of credit.
    init(_ record: RecordCopy, account: ReadAheadAccount, cost: Int) {
        self.record = record
        self.account = account
        self.cost = cost
    }

    deinit { account.release(cost) }

    func copy() -> RecordCopy { record }

    var traceparent: TraceParent? { record.traceparent }

    var byteCount: Int { record.byteCount }
}
