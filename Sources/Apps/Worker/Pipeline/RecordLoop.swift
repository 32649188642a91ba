import Dispatch
import Kafka
import Locks
import Publishing
import Timestamps

/// The one thread that writes down what was decided, and tells people.
///
/// The publishing thread decides, and leaves orders and reports here: records are encoded, handed to the producers and
/// followed until they are confirmed, log lines are laid out, and metrics counted, while it decides on. It hears once what
/// became of many orders. What waits here belongs to events that are not done, so it is bounded with them.
final class RecordLoop: Sendable {
    /// An order, and the partition whose ledger it concerns.
    struct Write: Sendable {
        let order: WriteOrder
        let source: SourcePartition
    }

    /// What the publishing thread says.
    private enum Decision {
        case write(Write)
        /// Partitions have left; nobody waits for what is written for them.
        case left([PartitionID])
    }

    /// What came since the last turn.
    private struct Inbox {
        /// In their order: orders of a partition that left are not those after its return.
        var decisions: [Decision] = []
        var reports: [PublishingReport] = []
        var deliveries: [KafkaDeliveryReport] = []
        /// Until when the partitions are surely ours.
        var sureUntil = ContinuousClock.now
        var isStopping = false
        /// Whether the thread has been woken and has not yet come to look.
        var isSignalled = false

        var isEmpty: Bool { decisions.isEmpty && reports.isEmpty && deliveries.isEmpty }

        /// What may be worked on. An order that was decided before a standstill waits until it is sure again that its
        /// partition is ours, or that it has left.
        mutating func takeWork(now: ContinuousClock.Instant) -> Inbox {
            isSignalled = false
            var work = self
            decisions = []
            reports = []
            deliveries = []
            if now > sureUntil, !isStopping {
                swap(&decisions, &work.decisions)
                swap(&deliveries, &work.deliveries)
            }
            return work
        }
    }

    private let inbox = Locked(Inbox())
    private let signal = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    // MARK: For other threads

    /// Takes what was decided in a turn.
    ///
    /// - Parameters:
    ///   - writes: To be written.
    ///   - reports: To be told.
    ///   - end: Until when the partitions are surely ours.
    func take(_ writes: [Write], _ reports: [PublishingReport], sureUntil end: ContinuousClock.Instant) {
        change { inbox in
            inbox.decisions += writes.lazy.map { .write($0) }
            inbox.reports.take(reports)
            inbox.sureUntil = end
        }
    }

    /// Takes delivery reports.
    func take(_ deliveries: [KafkaDeliveryReport]) {
        change { $0.deliveries.take(deliveries) }
    }

    /// Forgets the orders so far of partitions that have left. Those that were decided while the partitions were surely ours
    /// are written for the next owner all the same, and not followed.
    func forget(_ partitions: [PartitionID]) {
        let now = ContinuousClock.now
        change { inbox in
            if now > inbox.sureUntil {
                inbox.decisions.removeAll { decision in
                    if case .write(let write) = decision { partitions.contains(write.order.partition) } else { false }
                }
            }
            inbox.decisions.append(.left(partitions))
        }
    }

    /// Ends the thread once it has worked off what came so far; blocks until then.
    func stop() {
        change { $0.isStopping = true }
        signal.signal()
        ended.wait()
    }

    private func change(_ change: (inout Inbox) -> Void) {
        let wake = inbox.withLock { inbox in
            change(&inbox)
            guard !inbox.isSignalled, !inbox.isEmpty else { return false }
            inbox.isSignalled = true
            return true
        }
        if wake { signal.signal() }
    }

    // MARK: On its own thread

    /// Runs turns until ``stop()``.
    ///
    /// - Parameters:
    ///   - writer: What the thread owns.
    ///   - outlets: Where records and news of them go.
    func run(_ writer: consuming RecordWriter, _ outlets: RecordOutlets) {
        var writer = writer
        var pace = OutcomePace()
        var isStopping = false
        while !isStopping {
            // Rings also for what was left here, once the partitions are sure again.
            wait(until: pace.due)
            let work = inbox.withLock { $0.takeWork(now: .now) }
            isStopping = work.isStopping
            turn(&writer, &pace, work, outlets)
        }
        ended.signal()
    }

    private func wait(until due: ContinuousClock.Instant?) {
        guard let due else { return signal.wait() }
        _ = signal.wait(timeout: .now() + .nanoseconds(Int(max(.zero, due - .now).wholeNanoseconds)))
    }

    private func turn(_ writer: inout RecordWriter, _ pace: inout OutcomePace, _ work: Inbox, _ outlets: RecordOutlets)
    {
        // Before reports are heard, so that these bring forth nothing more for partitions that have left.
        for case .left(let partitions) in work.decisions { writer.forget(partitions) }
        // What the ledger has makes room for requests, and so does what it gets: both before outcomes are laid out.
        let written = writer.reported(work.deliveries)
        if !written.isEmpty { outlets.loop.written(written) }
        for decision in work.decisions {
            switch decision {
            case .write(let write): writer.add(write.order, of: write.source)
            case .left(let partitions): writer.forget(partitions)
            }
        }
        writer.produceLedgers(isLast: work.isStopping, outlets.produceLedger)
        writer.addReady()
        pace.reported(work.deliveries)
        if pace.letsGo(writer.batch.count, now: .now, isLast: work.isStopping) {
            outlets.produce(writer.batch)
            writer.emptyBatch()
        }
        for report in work.reports { outlets.observer.tell(report) }
        outlets.observer.confirmed(written.ended.count { $0.failure == nil })
    }
}

/// Where records and news of them go; each call hands over and returns.
struct RecordOutlets: Sendable {
    let produceLedger: @Sendable (KafkaRecordBatch) -> Void
    let produce: @Sendable (RecordBatch) -> Void
    /// Hears what became of orders.
    let loop: PublishingLoop
    let observer: PublishingObserver
}

extension Array {
    /// Appends others, or becomes them where it is empty.
    fileprivate mutating func take(_ others: [Element]) {
        if isEmpty { self = others } else { self += others }
    }
}
