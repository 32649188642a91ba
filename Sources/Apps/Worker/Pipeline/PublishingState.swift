import Dispatch
import HTTPTransport
import Kafka
import Locks
import NewsEvents
import NotificationHubs
import Publishing
import Timestamps

/// What the publishing thread owns: the machine, the records it works on, and the ways out.
struct PublishingState: ~Copyable {
    var core: PublishingCore
    let ways: PublishingWays
    private var writer: RecordWriter
    private var messages: [RecordID: KafkaMessage] = [:]
    private var lastRecord: UInt64 = 0
    private var drains: [PublishingLoop.Drain] = []

    init(core: PublishingCore, ways: PublishingWays, writer: RecordWriter) {
        self.core = core
        self.ways = ways
        self.writer = writer
    }

    /// When the thread has to look again though nothing has come.
    var nextTimer: Timestamp? {
        var due = core.nextTimer
        for drain in drains { due = min(due ?? drain.deadline, drain.deadline) }
        return due
    }

    /// What an open event takes in memory besides its message: the decoded event, its work, its places in tables. An
    /// estimate on the high side, so that the read-ahead budget bounds memory also where events are small.
    private static let bytesBesideMessage = 4096

    /// Reads records and hands them to the machine.
    mutating func take(_ batch: [KafkaMessage], now: Timestamp) {
        var records: [IncomingRecord] = []
        records.reserveCapacity(batch.count)
        for message in batch {
            lastRecord += 1
            let id = RecordID(lastRecord)
            messages[id] = message
            records.append(
                IncomingRecord(
                    id: id,
                    origin: RecordOrigin(
                        partition: SourcePartition(topic: message.topic, number: message.partition),
                        offset: message.offset,
                        timestamp: message.timestamp
                    ),
                    byteCount: message.byteCount + Self.bytesBesideMessage,
                    content: ways.decode(message)
                )
            )
        }
        core.take(records, now: now)
    }

    mutating func takeReports(_ reports: [KafkaDeliveryReport], now: Timestamp) {
        let ended = writer.reported(reports)
        core.writesEnded(ended, now: now)
        ways.observer.confirmed(ended.count { $0.failure == nil })
    }

    mutating func begin(_ drain: PublishingLoop.Drain, now: Timestamp) {
        core.beginDraining(drain.partitions, now: now)
        drains.append(drain)
    }

    /// Answers the consumer's thread once its partitions are done with, or their time is over.
    mutating func answerDrains(now: Timestamp) {
        guard !drains.isEmpty else { return }
        drains.removeAll { drain in
            guard core.isDrained(drain.partitions) || drain.deadline <= now else { return false }
            let offsets = core.leave(drain.partitions)
            drain.offsets.withLock { $0 = offsets }
            drain.answered.signal()
            return true
        }
        writer.forget { core.isClosing($0) }
    }

    /// Lets go of partitions at once. A question about them that nobody waits for any more must not be answered later,
    /// when they may be ours anew.
    mutating func leave(_ partitions: [SourcePartition]) {
        let lost = Set(partitions)
        drains.removeAll { !lost.isDisjoint(with: $0.partitions) }
        _ = core.leave(partitions)
        writer.forget { core.isClosing($0) }
    }

    /// Does what the machine asked for, in batches.
    mutating func perform(receiver: PublishingLoop) {
        var exchanges: [HTTPExchange] = []
        var batch = RecordBatch()
        for action in core.takeActions() {
            switch action {
            case .send(let order):
                switch ways.hub.request(for: order) {
                case .success(let request): exchanges.append(HTTPExchange(id: order.id.number, request: request))
                case .failure(let error): receiver.refuse(order.id, error)
                }
            case .write(let order):
                writer.add(order, original: messages[order.record], to: &batch)
            case .announce(let outcome):
                writer.addAnnouncement(outcome, to: &batch)
            case .commit(let offsets):
                ways.commit(offsets)
            case .setReading(let isOn):
                ways.setReading(isOn)
            case .release(let record):
                messages[record] = nil
            case .reloadCredentials:
                ways.hub.reload()
            case .report(let report):
                ways.observer.observe(report)
            }
        }
        if !batch.isEmpty { ways.produce(batch) }
        if !exchanges.isEmpty { ways.transport.start(exchanges, receiver: receiver) }
    }

    func publishStatus(now: Timestamp, atOnce: Bool) {
        ways.observer.turned(core, at: now, publishingAtOnce: atOnce)
    }
}

/// Where actions go; each call hands over and returns.
struct PublishingWays {
    let decode: @Sendable (KafkaMessage) -> DecodeOutcome
    let hub: HubLine
    let transport: any HTTPTransport
    let produce: @Sendable (RecordBatch) -> Void
    let commit: @Sendable ([SourcePartition: Int64]) -> Void
    let setReading: @Sendable (Bool) -> Void
    let observer: PublishingObserver
}
