import Dispatch
import NewsflashBasics
package import NewsflashKafka
import NewsflashObservability
package import NewsflashPublishing

/// Writes the commands of this worker's volume limit into the control topic until the brokers have them, and reports their
/// offsets.
///
/// Until a command is written, only this worker obeys it. Writing is retried until it succeeds or another command for the same
/// scope is read: a person may have ended the pause elsewhere, and the older command must not undo that.
///
/// It is the delegate of the producer that writes them, and forwards everything to the delegate that it replaces.
final class ControlWriter: KafkaProducerDelegate {
    private struct Pending: Sendable {
        var order: ControlRecord
        var failures = 0
    }

    private struct State: Sendable {
        /// Commands without a delivery report, by the ids of their records.
        var pending: [UInt64: Pending] = [:]
        /// Commands whose writing failed, with the reason, by scope. Writing is retried.
        var unwritten: [PauseScope: (order: ControlRecord, reason: String)] = [:]
        var lastID = ControlWriter.firstID
        var producer: KafkaProducer?
    }

    /// Higher than the ids of the producer's other records, which count from one.
    static let firstID = UInt64.max / 2

    private let topic: String
    private let next: any KafkaProducerDelegate
    private let logger: Logger
    private let inbox: PublishingInbox
    private let later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    private let state = Locked(State())

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - topic: The control topic.
    ///   - next: The delegate that receives all reports of the producer.
    ///   - inbox: Receives the offsets.
    ///   - logger: Logs failures to write.
    ///   - later: Runs work after a delay.
    init(
        topic: String,
        next: any KafkaProducerDelegate,
        inbox: PublishingInbox,
        logger: Logger,
        later: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = ControlWriter.dispatch
    ) {
        self.topic = topic
        self.next = next
        self.inbox = inbox
        self.logger = logger
        self.later = later
    }

    /// Starts writing with a producer, whose delegate this is.
    func open(_ producer: KafkaProducer) { state.withLock { $0.producer = producer } }

    /// Stops writing.
    func close() {
        state.withLock { state in
            state.producer = nil
            state.unwritten = [:]
        }
    }

    /// Writes a command. It replaces an unwritten older one for the same scope.
    func write(_ order: ControlRecord) {
        state.withLock { $0.unwritten[order.scope] = nil }
        write(Pending(order: order))
    }

    /// Receives a change read from the control topic. An unwritten command for the same scope is superseded and not written
    /// again.
    func read(_ change: ControlChange) {
        guard case .order(let order, at: _) = change else { return }
        state.withLock { $0.unwritten[order.scope] = nil }
    }

    /// The commands that only this worker obeys because they cannot be written; for health.
    var faults: [String] {
        state.withLock { state in
            state.unwritten.values.map { order, reason in
                "the pause of \(order.scope) by its volume limit cannot be written to \(topic), so only this worker obeys "
                    + "it: \(reason); writing is retried"
            }.sorted()
        }
    }

    private func write(_ pending: Pending) {
        let (producer, id) = state.withLock { state in
            state.lastID += 1
            if state.producer != nil { state.pending[state.lastID] = pending }
            return (state.producer, state.lastID)
        }
        var record = KafkaRecord(pending.order, topic: topic)
        record.id = id
        producer?.produce([record])
    }

    // MARK: KafkaProducerDelegate, on the producer's thread

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        for (pending, result) in ended(reports) {
            switch result {
            case .success(let place): written(pending, at: place.offset)
            case .failure(let error): failed(pending, error)
            }
        }
        next.kafkaProducer(producer, didDeliver: reports)
    }

    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {
        next.kafkaProducer(producer, didFail: error)
    }

    private func ended(
        _ reports: [KafkaDeliveryReport]
    ) -> [(Pending, Result<KafkaDeliveryReport.Place, KafkaError>)] {
        state.withLock { state in
            guard !state.pending.isEmpty else { return [] }
            return reports.compactMap { report in
                state.pending.removeValue(forKey: report.id).map { ($0, report.result) }
            }
        }
    }

    private func written(_ pending: Pending, at offset: Int64) {
        state.withLock { state in
            let scope = pending.order.scope
            if state.unwritten[scope]?.order == pending.order { state.unwritten[scope] = nil }
        }
        inbox.post(.controlled(.written(pending.order, at: offset)))
        guard pending.failures > 0 else { return }
        logger.notice(
            "the pause by a volume limit is now written: all workers obey it",
            metadata: place(of: pending.order)
        )
    }

    private func failed(_ pending: Pending, _ error: KafkaError) {
        let order = pending.order
        if pending.failures == 0 {
            state.withLock { state in
                if state.producer != nil { state.unwritten[order.scope] = (order, error.description) }
            }
            logger.error(
                "the pause by a volume limit was not written: only this worker obeys it",
                metadata: place(of: order).merging([
                    LogKey.detail: .string(error.description),
                    LogKey.remedy: .string(
                        "writing is retried until it succeeds or another command for the source is given. If other workers must "
                            + "obey at once, use 'newsflash pause'"
                    ),
                ])
            )
            inbox.post(.controlled(.written(order, at: nil)))
        }
        let again = Pending(order: order, failures: pending.failures + 1)
        later(.seconds(min(30, 1 << min(pending.failures, 5)))) { [self] in
            let isWanted = state.withLock { $0.unwritten[order.scope]?.order == order }
            if isWanted { write(again) }
        }
    }

    private func place(of order: ControlRecord) -> LogMetadata {
        [LogKey.topic: .string(topic), "source": .string(order.scope.description)]
    }

    private static let dispatch: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = { delay, work in
        let seconds = Int(delay.components.seconds)
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: work)
    }
}

extension KafkaRecord {
    /// A command to pause or resume a source, as a record for the control topic.
    package init(_ order: ControlRecord, topic: String) {
        self.init(.source(order), topic: topic)
    }

    /// A command as a record for the control topic.
    package init(_ order: ControlOrder, topic: String) {
        self.init(
            topic: topic,
            partition: 0,
            key: order.key.map { Array($0.utf8) },
            value: ControlOrderCodec.encode(order)
        )
    }
}
