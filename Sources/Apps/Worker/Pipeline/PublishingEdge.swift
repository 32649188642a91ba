import Dispatch
import HTTPTransport
package import Kafka
import Locks
import NewsEvents
import NotificationHubs
package import Publishing
import Timestamps

/// Performs what the publishing machine asks for; owned by the publishing thread.
struct PublishingEdge: ~Copyable {
    var core: PublishingCore
    let outlets: Outlets
    private var writer: RecordWriter
    private var drains: [PublishingLoop.Drain] = []
    /// The partition of the message that came last, as the next one's is mostly the same.
    private var latest: (partition: KafkaTopicPartition, id: PartitionID)?

    init(core: PublishingCore, outlets: Outlets, writer: RecordWriter) {
        self.core = core
        self.outlets = outlets
        self.writer = writer
    }

    /// When the thread has to look again though nothing has come.
    func nextTimer(now: Moment) -> ContinuousClock.Instant? {
        var due = core.nextTimer(now: now)
        for drain in drains { due = min(due ?? drain.deadline, drain.deadline) }
        return due
    }

    /// When the consumer's membership was confirmed last; the present while it waits for an answer of ours.
    var membershipConfirmed: ContinuousClock.Instant { drains.isEmpty ? outlets.membershipConfirmed() : .now }

    // MARK: - What comes

    /// Takes partitions over: their ledgers are read first.
    mutating func assign(_ partitions: [SourcePartition]) {
        for source in partitions {
            let id = core.partition(source)
            let assignment = core.assign(id)
            if core.configuration.keepsLedger {
                outlets.ledger.restore(source, as: id, assignment: assignment)
            } else {
                let empty = RestoredLedger(partition: id, assignment: assignment, stories: outlets.ledger.emptyTable)
                core.restored(empty, now: .now())
            }
        }
    }

    /// Reads records and hands them to the machine.
    mutating func take(_ batch: [KafkaMessage], now: Moment) {
        var records: [IncomingRecord] = []
        records.reserveCapacity(batch.count)
        for message in batch {
            records.append(
                IncomingRecord(
                    partition: id(of: message.topicPartition),
                    offset: message.offset,
                    timestamp: message.timestamp,
                    content: outlets.decode(message),
                    original: message
                )
            )
        }
        core.take(records, now: now)
    }

    private mutating func id(of partition: KafkaTopicPartition) -> PartitionID {
        if let latest, latest.partition == partition { return latest.id }
        let id = core.partition(SourcePartition(partition))
        latest = (partition, id)
        return id
    }

    mutating func takeReports(_ reports: [KafkaDeliveryReport], now: Moment) {
        var batch = RecordBatch()
        let ended = writer.reported(reports, batch: &batch)
        if !batch.isEmpty { outlets.produce(batch) }
        core.writesEnded(ended, now: now)
        outlets.observer.confirmed(ended.count { $0.failure == nil })
    }

    mutating func begin(_ drain: PublishingLoop.Drain, now: Moment) {
        core.beginDraining(drain.partitions.map { core.partition($0) }, now: now)
        drains.append(drain)
    }

    mutating func overwritten(_ overwrite: LedgerOverwrite, now: Moment) {
        core.overwritten(
            overwrite.record,
            of: overwrite.story,
            in: core.partition(overwrite.source),
            at: overwrite.offset,
            now: now
        )
    }

    /// Answers the consumer's thread once its partitions are done with, or their time is over.
    mutating func answerDrains(now: Moment) {
        guard !drains.isEmpty else { return }
        drains.removeAll { drain in
            let ids = drain.partitions.map { core.partition($0) }
            guard core.isDrained(ids) || drain.deadline <= now.instant else { return false }
            let offsets = core.leave(ids)
            drain.offsets.withLock { $0 = offsets }
            drain.answered.signal()
            outlets.ledger.stop(drain.partitions)
            return true
        }
        writer.forget { core.isAwaited($0) }
    }

    /// Lets go of partitions at once. A question about them that nobody waits for any more must not be answered later,
    /// when they may be ours anew.
    mutating func leave(_ partitions: [SourcePartition]) {
        let lost = Set(partitions)
        drains.removeAll { !lost.isDisjoint(with: $0.partitions) }
        _ = core.leave(partitions.map { core.partition($0) })
        outlets.ledger.stop(partitions)
        writer.forget { core.isAwaited($0) }
    }

    // MARK: - What is to be done

    /// Does what the machine asked for, in batches; requests first, as somebody waits for them.
    mutating func perform(receiver: PublishingLoop) {
        var exchanges: [HTTPExchange] = []
        var batch = RecordBatch()
        let actions = core.takeActions()
        for action in actions {
            switch action {
            case .send(let order):
                switch outlets.hub.request(for: order) {
                case .success(let request): exchanges.append(HTTPExchange(id: order.id.number, request: request))
                case .failure(let error): receiver.refuse(order.id, error)
                }
            case .reloadCredentials:
                outlets.hub.reload()
            case .cancel(let ids):
                outlets.cancel(ids.map(\.number), receiver)
            case .write, .recall, .flow, .commit, .report:
                break
            }
        }
        if !exchanges.isEmpty { outlets.transport.start(exchanges, receiver: receiver) }
        for action in actions {
            switch action {
            case .write(let order):
                writer.add(order, to: core.source(of: order.partition), batch: &batch)
            case .recall(let order):
                outlets.ledger.recall(order, of: core.source(of: order.partition))
            case .flow(let partition):
                outlets.flow(core.source(of: partition))
            case .commit(let offsets):
                outlets.commit(offsets)
            case .report(let report):
                outlets.observer.observe(report)
            case .send, .reloadCredentials, .cancel:
                break
            }
        }
        if !batch.isEmpty { outlets.produce(batch) }
    }

    func publishStatus(now: Moment, atOnce: Bool) {
        outlets.observer.turned(core, at: now, publishingAtOnce: atOnce)
    }
}

/// Where actions go; each call hands over and returns.
struct Outlets {
    let decode: @Sendable (KafkaMessage) -> DecodeOutcome
    let hub: HubGateway
    let transport: any HTTPTransport
    let ledger: any LedgerReading
    let produce: @Sendable (RecordBatch) -> Void
    let commit: @Sendable ([SourcePartition: Int64]) -> Void
    /// Lets the records of a partition come.
    let flow: @Sendable (SourcePartition) -> Void
    /// When it was known last that the group counts us in; the present where we are in none.
    let membershipConfirmed: @Sendable () -> ContinuousClock.Instant
    let sessionTimeout: Duration
    let observer: PublishingObserver

    func cancel(_ ids: [UInt64], _ receiver: any HTTPResultReceiver) {
        transport.cancel(ids, receiver: receiver)
    }
}

/// Reads the ledger for the publishing thread; answers come to its loop.
protocol LedgerReading: Sendable {
    /// A table without stories.
    var emptyTable: StoryLedgerTable { get }
    /// Reads the ledger of a partition from its beginning to its present end, and follows it from there.
    func restore(_ source: SourcePartition, as id: PartitionID, assignment: UInt32)
    /// Ends that for partitions that leave.
    func stop(_ sources: [SourcePartition])
    /// Reads one record.
    func recall(_ order: RecallOrder, of source: SourcePartition)
    /// Tries again what failed.
    func timePassed(now: ContinuousClock.Instant)
}

extension KafkaMessage: OriginalRecord {
    package func copy() -> RecordCopy {
        RecordCopy(
            key: key,
            value: value ?? [],
            headers: headers.map { StoryRecord.Waiting.Header(name: $0.name, value: $0.value) }
        )
    }
}
