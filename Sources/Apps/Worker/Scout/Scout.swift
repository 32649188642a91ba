import Dispatch
import Kafka
import Locks
import NewsEvents
import Publishing
import StructuredLog
import Timestamps

/// Finds flashes that lie further back than the reader may read: a flash never waits for a backlog.
///
/// While the reader is behind, two readers without a group read its partitions once more, one at their ends and one from where
/// it is (``ScoutPlan``). They look at each record's bytes (``ExpressLook``) and hand what is express to the machine, at most
/// as much as fits in ``memory`` at once. The reader's own way is not touched: it comes to these records in its time, and the
/// ledger knows them then.
final class Scout: KafkaReaderDelegate {
    private struct State {
        var plan = ScoutPlan()
        var readers: Readers?
        var isClosed = false
    }

    private struct Looks {
        /// When the plan looks next.
        var next: Instant?
        /// Whether it looks now, which takes long where readers are made.
        var isLooking = false
    }

    private struct Readers {
        /// Reads the ends of partitions.
        let follower: KafkaReader
        /// Reads what lies before.
        let searcher: KafkaReader

        func close() async {
            await follower.close(deadline: .seconds(5))
            await searcher.close(deadline: .seconds(5))
        }
    }

    /// What events that were found may take in memory until they have ended.
    static let memory = 4 << 20
    private static let interval = Duration.milliseconds(100)

    private let client: KafkaConfiguration
    private let decode: @Sendable (KafkaMessage) -> DecodeOutcome
    private let showsKinds: @Sendable (_ topic: String) -> Bool
    private let progress: @Sendable (SourcePartition) -> ScoutPlan.Progress
    private let isReaderFull: @Sendable () -> Bool
    private let loop: PublishingLoop
    private let logger: Logger
    private let faultLog: KafkaFaultLog
    private let account: ReadAheadAccount
    /// Signalled when credit came back, once for each reader that may wait for it.
    private let credit: DispatchSemaphore
    private let state = Locked(State())
    private let looks = Locked(Looks())
    /// Makes readers. Files with passwords and certificates are read for that, which must not hold the publishing thread.
    private let queue = DispatchQueue(label: "newsflash.scout")

    /// Prepares a scout; it connects when it is needed.
    ///
    /// - Parameters:
    ///   - client: The cluster.
    ///   - bytesBesideMessage: What an event takes in memory besides its bytes.
    ///   - decode: Reads a message.
    ///   - showsKinds: Whether the bytes of a topic's records name their kinds as events do; others are all read.
    ///   - progress: How far the reader is with a partition of ours.
    ///   - isReaderFull: Whether the reader has read as much as it may.
    ///   - loop: Takes what was found.
    ///   - faultLog: The log of the worker's clients of Kafka; by default one of its own.
    ///   - logger: Hears of the scout's coming and going.
    init(
        _ client: KafkaConfiguration,
        bytesBesideMessage: Int,
        decode: @escaping @Sendable (KafkaMessage) -> DecodeOutcome,
        showsKinds: @escaping @Sendable (_ topic: String) -> Bool,
        progress: @escaping @Sendable (SourcePartition) -> ScoutPlan.Progress,
        isReaderFull: @escaping @Sendable () -> Bool,
        loop: PublishingLoop,
        faultLog: KafkaFaultLog? = nil,
        logger: Logger
    ) {
        let credit = DispatchSemaphore(value: 0)
        self.client = client
        self.decode = decode
        self.showsKinds = showsKinds
        self.progress = progress
        self.isReaderFull = isReaderFull
        self.loop = loop
        self.logger = logger
        self.faultLog = faultLog ?? KafkaFaultLog(logger)
        self.credit = credit
        account = ReadAheadAccount(KafkaReadAhead(byteLimit: Self.memory, bytesBesideMessage: bytesBesideMessage)) {
            credit.signal()
            credit.signal()
        }
    }

    func close() async {
        // The lock is held while readers are made, so it is not waited for on the cooperative pool.
        let readers = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                let readers = state.withLock { state in
                    state.isClosed = true
                    return state.readers.take()
                }
                continuation.resume(returning: readers)
            }
        }
        credit.signal()
        credit.signal()
        await readers?.close()
    }

    /// Looks how far the reader is, and reads ahead of it if it is behind. Returns at once.
    ///
    /// - Parameters:
    ///   - working: The partitions that are worked on; asked only when it is time to look.
    ///   - now: The present.
    func timePassed(working: () -> [SourcePartition], now: Instant) {
        let isTime = looks.withLock { looks in
            guard !looks.isLooking, looks.next.map({ $0 <= now }) ?? true else { return false }
            looks = Looks(next: now + Self.interval, isLooking: true)
            return true
        }
        guard isTime else { return }
        let progress = Dictionary(working().map { ($0, self.progress($0)) }) { $1 }
        let isFull = isReaderFull()
        queue.async { [self] in
            perform { $0.look(at: progress, isFull: isFull, now: now) }
            looks.withLock { $0.isLooking = false }
        }
    }

    /// Asks the plan and does what it says, in one step, so that orders are not overtaken by others.
    private func perform(_ plan: (inout ScoutPlan) -> [ScoutPlan.Order]) {
        state.withLock { state in
            guard !state.isClosed else { return }
            for order in plan(&state.plan) { perform(order, &state.readers) }
        }
    }

    private func perform(_ order: ScoutPlan.Order, _ readers: inout Readers?) {
        switch order {
        case .open:
            do throws(KafkaError) {
                readers = try Readers(
                    follower: KafkaReader(configuration, delegate: self),
                    searcher: KafkaReader(configuration, delegate: self)
                )
                logger.info("the reader is behind: the scout looks for flashes ahead of it")
            } catch {
                logger.warning("the scout cannot read", metadata: [LogKey.detail: .string(error.description)])
            }
        case .follow(let partition):
            readers?.follower.start(KafkaTopicPartition(partition), at: .end)
        case .search(let partition, let offset):
            // A partition that was never read is read from its oldest record, wherever that lies.
            readers?.searcher.start(KafkaTopicPartition(partition), at: offset == 0 ? .beginning : .at(offset))
        case .stopSearching(let partition):
            readers?.searcher.stop(KafkaTopicPartition(partition))
        case .stop(let partition):
            readers?.follower.stop(KafkaTopicPartition(partition))
            readers?.searcher.stop(KafkaTopicPartition(partition))
        case .close:
            guard let old = readers.take() else { return }
            Task { await old.close() }
            logger.info("the reader has caught up: the scout rests")
        }
    }

    /// How the scout reads: with little memory, since it takes what comes at once.
    private var configuration: KafkaReaderConfiguration {
        var configuration = KafkaReaderConfiguration(client: client, recovery: .tell)
        configuration.queuedMessagesPerPartition = 5000
        configuration.queuedBytesPerPartition = 512 << 10
        return configuration
    }

    /// Whether a reader follows the ends, or searches what lies before; `nil` for one that is being closed.
    private func follows(_ reader: KafkaReader) -> Bool? {
        state.withLock { state in
            if state.readers?.follower === reader { return true }
            return state.readers?.searcher === reader ? false : nil
        }
    }

    // MARK: KafkaReaderDelegate, on the readers' threads

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let first = messages.first, let last = messages.last, let follows = follows(reader) else { return }
        let partition = SourcePartition(first.topicPartition)
        if follows { perform { $0.joined(partition, at: first.offset) } }
        var found: [IncomingAhead] = []
        let showsKinds = showsKinds(first.topic)
        for message in messages where !showsKinds || message.mayBeExpress {
            let content = decode(message)
            guard case .event(let news, warnings: _) = content, news.lane == .express, news.withheld == nil else {
                continue
            }
            let cost = account.cost(ofBytes: message.byteCount)
            if !account.take(cost) {
                hand(over: &found)
                guard waitForCredit(cost, reader) else { return }
            }
            let original = ScoutedRecord(message.copy(), account: account, cost: cost)
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
        if !found.isEmpty { loop.post(.ahead(found)) }
        found = []
    }

    /// Waits until events that were found before have ended. The reader holds back meanwhile.
    ///
    /// - Returns: Whether there is credit; not where the reader is to close.
    private func waitForCredit(_ cost: Int, _ reader: KafkaReader) -> Bool {
        while !account.take(cost) {
            guard follows(reader) != nil else { return false }
            _ = credit.wait(timeout: .now() + .seconds(1))
        }
        return true
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        guard let follows = follows(reader) else { return }
        let source = SourcePartition(partition)
        perform { follows ? $0.joined(source, at: offset) : $0.searched(source, upTo: offset) }
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        faultLog.log("the scout's reader reports a fault", error, level: .info)
        // What goes by itself is waited for.
        guard let partition, !error.isRetriable, let follows = follows(reader) else { return }
        let source = SourcePartition(partition)
        perform { follows ? $0.lost(source) : $0.searched(source, upTo: nil) }
    }
}

extension ScoutPlan.Progress {
    /// How far a consumer is with a partition of its own.
    init(of partition: SourcePartition, in consumer: KafkaConsumer) {
        let partition = KafkaTopicPartition(partition)
        self.init(position: consumer.position(of: partition), end: consumer.knownWatermarks(of: partition)?.high)
    }
}

extension KafkaMessage {
    fileprivate var mayBeExpress: Bool {
        withValue { value in
            if let value { ExpressLook.mayBeExpress(value) } else { false }
        }
    }
}

/// A record that was found ahead of the reader.
struct IncomingAhead: Sendable {
    var partition: SourcePartition
    var offset: Int64
    var timestamp: Timestamp?
    var content: DecodeOutcome
    var original: ScoutedRecord
}
