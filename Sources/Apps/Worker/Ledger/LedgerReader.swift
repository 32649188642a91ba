import Dispatch
import NewsflashBasics
import NewsflashEvents
import NewsflashKafka
import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Reads the ledgers: each of our partitions from its beginning to its current end, then records that others write.
///
/// If a partition's ledger cannot be read, reading is retried and the partition is not processed meanwhile.
final class LedgerReader: LedgerReading, KafkaReaderDelegate, WorkerService {
    /// The state of one ledger partition.
    private enum Phase {
        /// Requested; nothing was received.
        case starting(LedgerRestoration)
        case restoring(LedgerRestoration)
        /// Read to its end and stopped; the end of the source is not known yet.
        case read(LedgerRestoration, end: Int64)
        /// Restored. Any other writer is a late writer; rounds look for its records.
        case following(LateWriterPoller)
        /// Reading failed and is retried at an instant.
        case failed(LedgerRestoration, String, retryAt: Instant)
    }

    private struct State {
        /// By ledger partition.
        var partitions: [TopicPartition: Phase] = [:]
        /// When to check for due work again. The publishing thread calls in each of its turns.
        var nextLook: Instant?
        /// Created after this object, which is its delegate.
        var reader: KafkaReader?
    }

    private let client: KafkaConfiguration
    /// Ledger topics by topic of events.
    private let ledgers: [String: String]
    private let settings: LedgerSettings
    private let group: String
    private let instance: String
    private let byteLimit: Int
    private let inbox: PublishingInbox
    private let recall: RecordRecall
    private let metrics: WorkerMetrics
    private let logger: Logger
    private let faultLog: KafkaFaultLog
    private let state = Locked(State())

    /// Makes a reader; ``start()`` starts it.
    ///
    /// - Parameters:
    ///   - context: The configuration, and what the worker's parts share.
    ///   - instance: Distinguishes our ledger records from those of a late writer.
    init(_ context: WorkerContext, instance: String) {
        client = context.cluster
        ledgers = context.configuration.sources.ledgers
        settings = context.configuration.ledger
        group = context.configuration.group
        byteLimit = context.configuration.publishing.storyMemoryBytes
        self.instance = instance
        inbox = context.inbox
        recall = RecordRecall(context)
        metrics = context.observation.metrics
        logger = context.logger
        faultLog = context.observation.faultLog
    }

    /// Connects to the cluster.
    func start() throws(KafkaError) {
        recall.open(client)
        var configuration = KafkaReaderConfiguration(client: client, recovery: .tell)
        // Several partitions are restored at once, and the fetched records of all of them are in memory.
        configuration.queuedMessagesPerPartition = 10_000
        configuration.queuedBytesPerPartition = 2 << 20
        // A partition is not processed until the end of its ledger is reported.
        configuration.emptyFetchWait = .milliseconds(5)
        let reader = try KafkaReader(configuration, delegate: self)
        state.withLock { $0.reader = reader }
    }

    func shutDown(within limit: Duration) async -> Bool {
        let reader = state.withLock { $0.reader.take() }
        await reader?.close(deadline: .seconds(5))
        await recall.close()
        return true
    }

    /// The reasons why partitions are not restored, for health; empty if all are or are being restored.
    var faults: [String] {
        state.withLock { state in
            state.partitions.values.compactMap { phase in
                guard case .failed(_, let fault, _) = phase else { return nil }
                return fault
            }
        }.sorted()
    }

    /// The time since the last signs of life of the threads that read ledgers and single records.
    var silences: [ReaderSilence] {
        let reader = state.withLock { $0.reader }
        return (reader.map { [ReaderSilence("the ledger", since: $0.lastServed)] } ?? []) + recall.silences
    }

    // MARK: LedgerReading

    func restore(_ source: TopicPartition, as id: PartitionID, assignment: UInt32) {
        begin(LedgerRestoration(source, as: id, assignment: assignment, group: group, byteLimit: byteLimit))
    }

    private func begin(_ restoration: LedgerRestoration) {
        let partition = partition(of: restoration.source)
        let reader = state.withLock { state in
            state.partitions[partition] = .starting(restoration)
            state.reader?.start(partition, at: .beginning)
            return state.reader
        }
        // In parallel with the reading, because each response takes time. librdkafka 2.0.2 exceeds its timeout if it asks a
        // dead leader, and the end of the source is not worth that wait. Not on the consumer's connection, where responses wait
        // behind those to its fetches.
        DispatchQueue.global().async { [self] in
            restoration.sourceEnded(
                at: try? reader?.blockingWatermarks(of: restoration.source, timeout: .seconds(5)).high
            )
            finish(restoration)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(3)) { [self] in
            restoration.sourceEnded(at: nil)
            finish(restoration)
        }
    }

    func stop(_ sources: [TopicPartition]) {
        state.withLock { state in
            for partition in sources.map(partition) where state.partitions.removeValue(forKey: partition) != nil {
                state.reader?.stop(partition)
            }
        }
    }

    func recall(_ order: RecallRequest, of source: TopicPartition) {
        recall.add(order, of: source)
    }

    func timePassed(now: Instant) {
        let due = state.withLock { state -> [LedgerRestoration]? in
            if let nextLook = state.nextLook, nextLook > now { return nil }
            state.nextLook = now + .milliseconds(100)
            return state.partitions.values.compactMap { phase in
                guard case .failed(let restoration, _, let retryAt) = phase, retryAt <= now else { return nil }
                return restoration
            }
        }
        guard let due else { return }
        recall.timePassed(now: now)
        for restoration in due { begin(restoration.anew()) }
        state.withLock { state in
            for (partition, phase) in state.partitions {
                guard case .following(var watch) = phase, let offset = watch.beginRound(now: now) else { continue }
                state.partitions[partition] = .following(watch)
                state.reader?.start(partition, at: offset)
            }
        }
    }

    /// The ledger partition for a source partition.
    private func partition(of source: TopicPartition) -> TopicPartition {
        TopicPartition(topic: ledgers[source.topic] ?? "", partition: source.partition)
    }

    // MARK: KafkaReaderDelegate, on the reader's thread

    func kafkaReader(_ reader: KafkaReader, didStart partition: TopicPartition, at offset: KafkaOffset) {
        state.withLock { state in
            guard case .starting(let restoration) = state.partitions[partition] else { return }
            state.partitions[partition] = .restoring(restoration)
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let first = messages.first else { return }
        let partition = first.topicPartition
        switch state.withLock({ $0.partitions[partition] }) {
        case .restoring(let restoration):
            do throws(LedgerDamage) {
                try restoration.apply(messages, ignoringDamage: settings.ignoresDamage)
            } catch {
                fail(restoration, error.description, of: partition, tryAgainAfter: .seconds(30))
            }
        case .following(let watch):
            for message in messages { follow(message, watch.source) }
        case .starting, .read, .failed, nil:
            return
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64) {
        let restoration = state.withLock { state -> LedgerRestoration? in
            switch state.partitions[partition] {
            case .restoring(let restoration):
                state.reader?.stop(partition)
                state.partitions[partition] = .read(restoration, end: offset)
                return restoration
            case .following(var watch):
                state.reader?.stop(partition)
                watch.roundEnded(at: offset, now: .now)
                state.partitions[partition] = .following(watch)
                return nil
            case .starting, .read, .failed, nil:
                return nil
            }
        }
        guard let restoration else { return }
        if let refusal = restoration.refusal {
            guard settings.ignoresDamage else {
                return fail(restoration, "\(refusal) [ledger_group]", of: partition, tryAgainAfter: .seconds(30))
            }
            logger.error(
                "the ledger belongs to another group and is used because of ledger.damaged: ignore",
                metadata: [LogKey.detail: .string("\(partition): \(refusal)")]
            )
        }
        finish(restoration)
    }

    /// Posts the restored ledger once it was read and the source's end is known.
    private func finish(_ restoration: LedgerRestoration) {
        guard restoration.knowsSource else { return }
        let partition = partition(of: restoration.source)
        let end = state.withLock { state -> Int64? in
            guard case .read(let present, let end) = state.partitions[partition], present === restoration else {
                return nil
            }
            state.partitions[partition] = .following(LateWriterPoller(restoration.source, from: end, now: .now))
            return end
        }
        guard let end else { return }
        if restoration.damaged > 0 {
            logger.error(
                "records of the ledger cannot be read and are skipped because of ledger.damaged: ignore",
                metadata: [
                    LogKey.topic: .string(partition.topic), LogKey.partition: LogValue(partition.partition),
                    "records": LogValue(restoration.damaged),
                ]
            )
        }
        inbox.post(.restored(restoration.finish(at: end)))
        metrics.restored(after: .now - restoration.began)
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?) {
        guard let partition else {
            faultLog.log("the reader of the ledger reported an error", error)
            return
        }
        switch state.withLock({ $0.partitions[partition] }) {
        case .starting(let restoration), .restoring(let restoration):
            let remedy =
                error.meansForbidden
                ? error.remedy(for: "Read on the topic \(partition.topic)")
                : error.isRetriable
                    ? "reading is retried" : "correct it with 'newsflash topics apply'"
            fail(restoration, "\(error); \(remedy)", of: partition, tryAgainAfter: .seconds(2))
        case .following:
            roundFailed(error, of: partition)
        case .read, .failed, nil:
            faultLog.log("the reader of the ledger reported an error", error)
        }
    }

    /// Ends a failed round that looked for late writers; the next one follows.
    private func roundFailed(_ error: KafkaError, of partition: TopicPartition) {
        guard !error.isRetriable else { return faultLog.log("the reader of the ledger reported an error", error) }
        let hasLostRecords = error.code == .offsetOutOfRange
        state.withLock { state in
            guard case .following(var watch) = state.partitions[partition] else { return }
            state.reader?.stop(partition)
            watch.roundFailed(hasLostRecords: hasLostRecords, now: .now)
            state.partitions[partition] = .following(watch)
        }
        let place: LogMetadata = [
            LogKey.topic: .string(partition.topic), LogKey.partition: LogValue(partition.partition),
            LogKey.detail: .string(error.description),
        ]
        guard hasLostRecords else {
            return logger.warning("the ledger cannot be searched for late writers; it is retried", metadata: place)
        }
        logger.error(
            "the ledger has lost records that the worker had read; it is searched again from its beginning",
            metadata: place.merging([
                LogKey.remedy: .string(
                    "find out who deleted records of the topic or recreated it. After a restart the worker does not have the "
                        + "content of the lost records: do not restart it before today's stories are over"
                )
            ])
        )
    }

    private func fail(
        _ restoration: LedgerRestoration,
        _ fault: String,
        of partition: TopicPartition,
        tryAgainAfter pause: Duration
    ) {
        let text = "\(partition): \(fault)"
        state.withLock { state in
            guard state.partitions[partition] != nil else { return }
            state.partitions[partition] = .failed(restoration, text, retryAt: .now + pause)
            state.reader?.stop(partition)
        }
        logger.error(
            "the ledger of a partition cannot be read; the partition is not processed",
            metadata: [LogKey.detail: .string(text)]
        )
    }

    /// Receives a record that was written while we own the partition.
    private func follow(_ message: KafkaMessage, _ source: TopicPartition) {
        let writer = message.headers.last { $0.name == LedgerHeader.writer }?.value
        guard writer.map({ String(decoding: $0, as: UTF8.self) }) != instance else { return }
        guard let key = message.key, let value = message.value else { return }
        guard !LedgerOwner.isKey(key.span) else {
            return inbox.post(.overwritten(LedgerOverwrite(source: source, record: nil)))
        }
        do throws(LedgerRecordError) {
            let (story, facts) = try LedgerRecordCodec.decode(value.span)
            inbox.post(.overwritten(LedgerOverwrite(source: source, record: LateRecord(story: story, facts))))
        } catch {
            logger.warning(
                "another writer wrote an unreadable record into the ledger",
                metadata: [
                    LogKey.topic: .string(message.topic), LogKey.partition: LogValue(source.partition),
                    LogKey.offset: LogValue(message.offset), LogKey.detail: .string(error.description),
                ]
            )
        }
    }
}
