import Dispatch
import Kafka
import Locks
import NewsEvents
import Publishing
import StructuredLog
import Timestamps

/// Reads the ledgers: of each partition of ours from its beginning to its present end, and from there on what others write.
///
/// A partition whose ledger cannot be read is tried again, and nothing of it is worked on meanwhile.
final class LedgerReader: LedgerReading, KafkaReaderDelegate {
    /// What is done with one partition of the ledger.
    private enum Phase {
        /// Asked for; nothing has come.
        case starting(LedgerRestoration)
        case restoring(LedgerRestoration)
        /// Read to its end, and read no more; the end of the source is not known yet.
        case read(LedgerRestoration, end: Int64)
        /// Restored; who writes there besides us is a late writer, and is looked for in rounds.
        case following(LedgerWatch)
        /// Could not be read; tried again at an instant.
        case failed(LedgerRestoration, String, retryAt: Instant)
    }

    private struct State {
        /// By the partitions of the ledgers.
        var partitions: [KafkaTopicPartition: Phase] = [:]
        /// When to look again whether something is due: the publishing thread asks at each of its turns.
        var nextLook: Instant?
        /// Needs the delegate, so it is made after this object.
        var reader: KafkaReader?
    }

    /// By the topics of events.
    private let ledgers: [String: String]
    private let settings: LedgerSettings
    private let group: String
    private let instance: String
    private let byteLimit: Int
    private let loop: PublishingLoop
    private let recall: RecordRecall
    private let metrics: WorkerMetrics
    private let logger: Logger
    private let faultLog: KafkaFaultLog
    private let state = Locked(State())

    init(
        ledgers: [String: String],
        settings: LedgerSettings,
        group: String,
        instance: String,
        byteLimit: Int,
        loop: PublishingLoop,
        recall: RecordRecall,
        metrics: WorkerMetrics,
        faultLog: KafkaFaultLog? = nil,
        logger: Logger
    ) {
        self.ledgers = ledgers
        self.settings = settings
        self.group = group
        self.instance = instance
        self.byteLimit = byteLimit
        self.loop = loop
        self.recall = recall
        self.metrics = metrics
        self.logger = logger
        self.faultLog = faultLog ?? KafkaFaultLog(logger)
    }

    /// Connects to the cluster.
    func open(_ client: KafkaConfiguration) throws(KafkaError) {
        var configuration = KafkaReaderConfiguration(client: client, recovery: .tell)
        // Several partitions are restored at once, and what was fetched of all of them lies in memory.
        configuration.queuedMessagesPerPartition = 10_000
        configuration.queuedBytesPerPartition = 2 << 20
        // Nothing of a partition is worked on until the end of its ledger is heard of.
        configuration.emptyFetchWait = .milliseconds(5)
        let reader = try KafkaReader(configuration, delegate: self)
        state.withLock { $0.reader = reader }
    }

    func close() async {
        let reader = state.withLock { $0.reader.take() }
        await reader?.close(deadline: .seconds(5))
        await recall.close()
    }

    /// Why partitions are not restored, for health; empty when all are, or are about to be.
    var faults: [String] {
        state.withLock { state in
            state.partitions.values.compactMap { phase in
                guard case .failed(_, let fault, _) = phase else { return nil }
                return fault
            }
        }.sorted()
    }

    /// How long the threads that read ledgers and records have given no sign of life.
    var silences: [ReaderSilence] {
        let reader = state.withLock { $0.reader }
        return (reader.map { [ReaderSilence("the ledger", since: $0.lastServed)] } ?? []) + recall.silences
    }

    // MARK: LedgerReading

    func restore(_ source: SourcePartition, as id: PartitionID, assignment: UInt32) {
        begin(LedgerRestoration(source, as: id, assignment: assignment, group: group, byteLimit: byteLimit))
    }

    private func begin(_ restoration: LedgerRestoration) {
        let partition = partition(of: restoration.source)
        let reader = state.withLock { state in
            state.partitions[partition] = .starting(restoration)
            state.reader?.start(partition, at: .beginning)
            return state.reader
        }
        // Beside the reading, because each answer takes its time. librdkafka 2.0.2 waits longer than it was told where it asks
        // a leader that has died; the end of the source is worth less than that. Not by the consumer's connection, on which
        // answers wait behind those to its fetches.
        DispatchQueue.global().async { [self] in
            let source = KafkaTopicPartition(restoration.source)
            restoration.sourceEnded(at: try? reader?.blockingWatermarks(of: source, timeout: .seconds(5)).high)
            finish(restoration)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(3)) { [self] in
            restoration.sourceEnded(at: nil)
            finish(restoration)
        }
    }

    func stop(_ sources: [SourcePartition]) {
        state.withLock { state in
            for partition in sources.map(partition) where state.partitions.removeValue(forKey: partition) != nil {
                state.reader?.stop(partition)
            }
        }
    }

    func recall(_ order: RecallOrder, of source: SourcePartition) {
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
                guard case .following(var watch) = phase, let offset = watch.takeRound(now: now) else { continue }
                state.partitions[partition] = .following(watch)
                state.reader?.start(partition, at: offset)
            }
        }
    }

    /// The partition that knows the stories of one of events.
    private func partition(of source: SourcePartition) -> KafkaTopicPartition {
        KafkaTopicPartition(topic: ledgers[source.topic] ?? "", partition: source.number)
    }

    // MARK: KafkaReaderDelegate, on the reader's thread

    func kafkaReader(_ reader: KafkaReader, didStart partition: KafkaTopicPartition, at offset: KafkaOffset) {
        state.withLock { state in
            guard case .starting(let restoration) = state.partitions[partition] else { return }
            state.partitions[partition] = .restoring(restoration)
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        guard let first = messages.first else { return }
        let partition = KafkaTopicPartition(topic: first.topic, partition: first.partition)
        switch state.withLock({ $0.partitions[partition] }) {
        case .restoring(let restoration):
            do throws(LedgerDamage) {
                try restoration.take(messages, ignoringDamage: settings.ignoresDamage)
            } catch {
                fail(restoration, error.description, of: partition, tryAgainAfter: .seconds(30))
            }
        case .following(let watch):
            for message in messages { follow(message, watch.source) }
        case .starting, .read, .failed, nil:
            return
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
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
                "the ledger is that of another group, and is used as ledger.damaged says",
                metadata: [LogKey.detail: .string("\(partition): \(refusal)")]
            )
        }
        finish(restoration)
    }

    /// Hands over what was restored, once the ledger was read and the source's end is known.
    private func finish(_ restoration: LedgerRestoration) {
        guard restoration.knowsSource else { return }
        let partition = partition(of: restoration.source)
        let end = state.withLock { state -> Int64? in
            guard case .read(let present, let end) = state.partitions[partition], present === restoration else {
                return nil
            }
            state.partitions[partition] = .following(LedgerWatch(restoration.source, from: end, now: .now))
            return end
        }
        guard let end else { return }
        if restoration.damaged > 0 {
            logger.error(
                "records of the ledger cannot be read and are passed over, as ledger.damaged says",
                metadata: [
                    LogKey.topic: .string(partition.topic), LogKey.partition: LogValue(partition.partition),
                    "records": LogValue(restoration.damaged),
                ]
            )
        }
        loop.post(.restored(restoration.finish(at: end)))
        metrics.restored(after: .now - restoration.began)
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        guard let partition else {
            faultLog.log("the ledger's reader reports a fault", error)
            return
        }
        switch state.withLock({ $0.partitions[partition] }) {
        case .starting(let restoration), .restoring(let restoration):
            let remedy =
                error.meansForbidden
                ? error.remedy(for: "Read on the topic \(partition.topic)")
                : error.isRetriable
                    ? "it is tried again" : "make it fit with 'newsflash topics create' and 'topics check'"
            fail(restoration, "\(error); \(remedy)", of: partition, tryAgainAfter: .seconds(2))
        case .following:
            roundFailed(error, of: partition)
        case .read, .failed, nil:
            faultLog.log("the ledger's reader reports a fault", error)
        }
    }

    /// Ends a round of looking for late writers that cannot go on; the next one follows.
    private func roundFailed(_ error: KafkaError, of partition: KafkaTopicPartition) {
        guard !error.isRetriable else { return faultLog.log("the ledger's reader reports a fault", error) }
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
            return logger.warning("the ledger cannot be searched for late writers; tried again", metadata: place)
        }
        logger.error(
            "the ledger has lost records that the worker had read; it is searched again from its beginning",
            metadata: place.merging([
                LogKey.remedy: .string(
                    "find out who deleted records of the topic or made it again. After a restart the worker does not know what "
                        + "the lost records said: do not restart it before the stories of today are over"
                )
            ])
        )
    }

    private func fail(
        _ restoration: LedgerRestoration,
        _ fault: String,
        of partition: KafkaTopicPartition,
        tryAgainAfter pause: Duration
    ) {
        let text = "\(partition): \(fault)"
        state.withLock { state in
            guard state.partitions[partition] != nil else { return }
            state.partitions[partition] = .failed(restoration, text, retryAt: .now + pause)
            state.reader?.stop(partition)
        }
        logger.error(
            "the ledger of a partition cannot be read; nothing of the partition is worked on",
            metadata: [LogKey.detail: .string(text)]
        )
    }

    /// Looks at a record that was written while the partition is ours.
    private func follow(_ message: KafkaMessage, _ source: SourcePartition) {
        let writer = message.headers.last { $0.name == LedgerHeader.writer }?.value
        guard writer.map({ String(decoding: $0, as: UTF8.self) }) != instance else { return }
        guard let key = message.key, let value = message.value else { return }
        guard !LedgerOwner.isKey(key.span) else {
            return loop.post(.overwritten(LedgerOverwrite(source: source, record: nil)))
        }
        do throws(LedgerRecordError) {
            let (story, facts) = try LedgerRecordCodec.decode(value.span)
            loop.post(.overwritten(LedgerOverwrite(source: source, record: LateRecord(story: story, facts))))
        } catch {
            logger.warning(
                "someone else wrote a record into the ledger that cannot be read",
                metadata: [
                    LogKey.topic: .string(message.topic), LogKey.partition: LogValue(source.number),
                    LogKey.offset: LogValue(message.offset), LogKey.detail: .string(error.description),
                ]
            )
        }
    }
}
