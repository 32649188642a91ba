import Kafka
import Locks

/// Hears what became of records, and hands it to the command that waits.
final class Confirmations: KafkaProducerDelegate {
    /// The reports, in no order.
    let reports: AsyncStream<[KafkaDeliveryReport]>
    private let continuation: AsyncStream<[KafkaDeliveryReport]>.Continuation
    private let lastFault = Locked<String?>(nil)

    init() {
        (reports, continuation) = AsyncStream.makeStream()
    }

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        continuation.yield(reports)
    }

    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {
        let isNew = lastFault.withLock { last in
            defer { last = error.description }
            return last != error.description
        }
        // Brokers that are away are reported again and again.
        if isNew { StandardError.write("Kafka: \(error); trying on") }
    }
}

/// Puts reports back into the order of the records, and counts those not confirmed.
struct ConfirmationOrder {
    private var waiting: [KafkaDeliveryReport?]
    private var next = 0
    private(set) var failures: [KafkaError] = []
    /// The places of the confirmed records, in the order of their confirmations.
    private(set) var places: [KafkaDeliveryReport.Place] = []

    /// Waits for so many records.
    init(count: Int) {
        waiting = Array(repeating: nil, count: count)
    }

    /// Whether there is a report on each record.
    var isComplete: Bool { next == waiting.count }

    /// Takes reports.
    ///
    /// - Parameter reports: In any order.
    /// - Returns: Those whose turn it is, in the order of the records.
    mutating func take(_ reports: [KafkaDeliveryReport]) -> [(index: Int, report: KafkaDeliveryReport)] {
        for report in reports {
            guard let index = Int(exactly: report.id), waiting.indices.contains(index) else { continue }
            waiting[index] = report
            switch report.result {
            case .success(let place): places.append(place)
            case .failure(let error): failures.append(error)
            }
        }
        var ready: [(index: Int, report: KafkaDeliveryReport)] = []
        while next < waiting.count, let report = waiting[next] {
            ready.append((next, report))
            next += 1
        }
        return ready
    }
}
