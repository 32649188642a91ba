import Kafka
import Locks
import Publishing
import StructuredLog

/// Writes the orders of this worker's volume limit into the control topic, and reports their offsets.
///
/// It is the delegate of the producer that writes them, and passes everything on to the delegate that it replaces.
final class ControlWriter: KafkaProducerDelegate {
    private struct State: Sendable {
        /// Orders without a delivery report, by the id of their records.
        var pending: [UInt64: ControlRecord] = [:]
        var lastID = ControlWriter.firstID
    }

    /// Above all ids of other records of the producer, which count from one.
    private static let firstID = UInt64.max / 2

    private let topic: String
    private let next: any KafkaProducerDelegate
    private let logger: Logger
    private let report: @Sendable (ControlChange) -> Void
    private let state = Locked(State())

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - topic: The control topic.
    ///   - next: The delegate for everything that the producer reports.
    ///   - logger: For orders that were not written.
    ///   - report: Gets the offsets, on the producer's thread.
    init(
        topic: String,
        next: any KafkaProducerDelegate,
        logger: Logger,
        report: @escaping @Sendable (ControlChange) -> Void
    ) {
        self.topic = topic
        self.next = next
        self.logger = logger
        self.report = report
    }

    /// Returns the record of an order, whose delivery report is waited for from now on.
    func record(of order: ControlRecord) -> KafkaRecord {
        var record = KafkaRecord(order, topic: topic)
        record.id = state.withLock { state in
            state.lastID += 1
            state.pending[state.lastID] = order
            return state.lastID
        }
        return record
    }

    // MARK: KafkaProducerDelegate, on the producer's thread

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        for (order, result) in ended(reports) {
            switch result {
            case .success(let place):
                report(.written(order, at: place.offset))
            case .failure(let error):
                logger.error(
                    "the order of a volume limit was not written: only this worker obeys it",
                    metadata: [
                        LogKey.topic: .string(topic), "source": .string(order.scope.description),
                        LogKey.detail: .string(error.description),
                        LogKey.remedy: .string("if other workers are to obey it too, write it with 'newsflash pause'"),
                    ]
                )
                report(.written(order, at: nil))
            }
        }
        next.kafkaProducer(producer, didDeliver: reports)
    }

    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {
        next.kafkaProducer(producer, didFail: error)
    }

    private func ended(
        _ reports: [KafkaDeliveryReport]
    ) -> [(ControlRecord, Result<KafkaDeliveryReport.Place, KafkaError>)] {
        state.withLock { state in
            guard !state.pending.isEmpty else { return [] }
            return reports.compactMap { report in
                state.pending.removeValue(forKey: report.id).map { ($0, report.result) }
            }
        }
    }
}
